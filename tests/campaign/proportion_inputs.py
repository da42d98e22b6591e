"""The worst inputs of each reader, for proportion.py."""

import bz2
import functools
import gzip
import io
import itertools
import lzma
import operator
import os
import random
import re
import shutil
import signal
import socket
import struct
import time
import zipfile


class Case:
    """make(size, folder, makebook) writes files of about `size` bytes into the folder and returns
    how many they are. A file named stdin is standard input."""

    def __init__(self, name, make, command, size=1 << 14, status=(0, 1), talk=None, per_byte=12000,
                 memory_per_byte=100, memory_size=1 << 20):
        self.name = name
        self.make = make
        self.command = command.split() if isinstance(command, str) else command
        self.size = size
        self.status = status
        self.talk = talk
        self.per_byte = per_byte
        self.memory_per_byte = memory_per_byte
        self.memory_size = memory_size


CASES = []


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return len(data)


def fill(size, text):
    """`text` again and again, or text(0), text(1), .."""
    if not callable(text):
        return text * max(size // len(text), 1)
    parts = []
    length = 0
    while length < size:
        parts.append(text(len(parts)))
        length += len(parts[-1])
    return (b"" if isinstance(parts[0], bytes) else "").join(parts)


# Positions with nothing but single steps of pawns: they are legal in any order.

def board(steps, turn):
    """steps: of the 16 pawns, White's first, from 0 to 2 each."""
    squares = [["."] * 8 for _ in range(8)]
    squares[7] = list("RNBQKBNR")
    squares[0] = list("rnbqkbnr")
    for file in range(8):
        squares[6 - steps[file]][file] = "P"
        squares[1 + steps[8 + file]][file] = "p"
    text = "/".join("".join(row) for row in squares)
    for count in range(8, 0, -1):
        text = text.replace("." * count, str(count))
    return f"{text} {turn} KQkq -"


def pushes(steps, turn):
    side = 0 if turn == "w" else 8
    return ["abcdefgh"[file] + str(3 + steps[file] if turn == "w" else 6 - steps[8 + file])
            for file in range(8) if steps[side + file] < 2]


@functools.cache
def scattered(number):
    """A position of its own for each number."""
    chance = random.Random(number)
    steps = [chance.randrange(3) for _ in range(16)]
    steps[0] = steps[8] = 1
    return steps, chance.choice("wb")


def transposing():
    """All positions of pawn steps, nearest to the start first: most lines meet again."""
    level = {(0,) * 16}
    turn = "w"
    while level:
        following = set()
        for steps in sorted(level):
            yield steps, turn
            side = 0 if turn == "w" else 8
            for file in range(8):
                if steps[side + file] < 2:
                    changed = list(steps)
                    changed[side + file] += 1
                    following.add(tuple(changed))
        level = following
        turn = "b" if turn == "w" else "w"


@functools.cache
def game(number, plies=32):
    """Moves of a game in an order of its own."""
    chance = random.Random(number)
    orders = {side: chance.sample(list("abcdefgh") * 2, 16) for side in "wb"}
    ranks = {(side, file): (3 if side == "w" else 6) for side in "wb" for file in "abcdefgh"}
    words = []
    for ply in range(plies):
        side = "wb"[ply % 2]
        file = orders[side][ply // 2]
        words += ([f"{ply // 2 + 1}."] if side == "w" else []) + [f"{file}{ranks[side, file]}"]
        ranks[side, file] += 1 if side == "w" else -1
    return " ".join(words)


def tagged(moves, number=0):
    return f'[White "{number}"]\n[Black "B"]\n[Result "1-0"]\n\n{moves} 1-0\n\n'


# PGN ---------------------------------------------------------------------------------------------

@functools.cache
def fen_game(number):
    steps, turn = scattered(number)
    return tagged(f"{'1.' if turn == 'w' else '1...'} {pushes(steps, turn)[0]}").replace(
        "\n\n", f'\n[FEN "{board(steps, turn)} 0 1"]\n\n', 1)


PGN = {
    "games": lambda n: fill(n, lambda i: tagged(game(i), i)),
    "same": lambda n: fill(n, tagged(game(1))),
    "short": lambda n: fill(n, "1. a3 *\n"),
    "fens": lambda n: fill(n, fen_game),
    "long": lambda n: tagged(fill(n, "Nf3 Nf6 Ng1 Ng8 ")),
    "illegal": lambda n: fill(n, tagged("1. e5")),
    "deep": lambda n: tagged("1. a3 " + fill(n, "(a3 ")),
    "nested": lambda n: tagged("1. a3 " + fill(n // 2, "(a3 ") + fill(n // 8, ") ")),
    "wide": lambda n: tagged("1. a3 a6 " + fill(n, lambda i: f"(1... {'bcdefgh'[i % 7]}6 2. b3) ")),
    "open": lambda n: "1. a3 " + fill(n, "("),
    "closed": lambda n: tagged("1. a3 " + fill(n, ")")),
    "comment": lambda n: tagged("1. a3 " + fill(n, "{ [%weight ")),
    "comments": lambda n: tagged("1. a3 " + fill(n, "{[%weight 1]} ")),
    "unclosed": lambda n: fill(n, '[Event "x"]\n\n1. a3 { \n\n'),
    "unclosed_moves": lambda n: fill(n, "1. a3 { 1-0\n"),
    "values": lambda n: tagged("1. a3") + fill(n, '[White "x\n'),
    "quotes": lambda n: '[White "' + fill(n, '"') + '"]\n\n1. a3 *\n',
    "backslashes": lambda n: '[White "' + fill(n, "\\") + '"]\n\n1. a3 *\n',
    "tag_lines": lambda n: fill(n, '[Aa "x"]\n') + "\n1. a3 *\n",
    "other_tags": lambda n: fill(n, lambda i: f'[A{i % 100000:05}z "x"]\n') + "\n1. a3 *\n",
    "tags_in_line": lambda n: fill(n, '[Aa "x"] ') + "\n\n1. a3 *\n",
    "events": lambda n: fill(n, '[Event "x"]\n'),
    "brackets": lambda n: fill(n, "["),
    "words": lambda n: fill(n, "a"),
    "digits": lambda n: "1. a3 " + fill(n, "1"),
    "numbers": lambda n: "1. a3 " + fill(n, "1."),
    "marks": lambda n: "1. a3 " + fill(n, "$1 !? "),
    "empty_lines": lambda n: "1. a3 a6\n" + fill(n, "\n"),
    "returns": lambda n: "1. a3 a6 " + fill(n, "\r"),
    "blanks": lambda n: "1. a3 a6 " + fill(n, " "),
    "zeros": lambda n: "1. a3 a6 " + fill(n, "\0"),
    "escapes": lambda n: "1. a3 a6\n" + fill(n, "%\n"),
    "results": lambda n: fill(n, "1-0 "),
    "figurines": lambda n: "1. a3 " + fill(n // 3, "\u2658"),
}
PGN_USES = {
    "build": "makebook build x.pgn -o out.bin --stats out.wld --updatable --min-games 1 -j1",
    "convert": "makebook convert x.pgn out.epd",
    "verify": "makebook verify x.pgn",
    "where": "makebook show builtin startpos --where x.pgn",
    "learn": "makebook learn x.pgn --book builtin -o out.bin --depth 1 --threads 1 --hash 1 "
             "--player A",
    "suite": "makebook suite x.pgn -o out.epd --plies 1..9",
    "judge": "makebook suite --judge x.pgn",
}
PGN_ALL_USES = {"games", "long", "comments", "fens"}  # the others of two readers each
PGN_DEAR = {"other_tags", "escapes", "figurines", "closed", "illegal", "long", "games", "short",
            "empty_lines", "wide", "deep", "nested", "fens", "open", "events"}


def pgn_maker(make):
    return lambda size, folder, makebook: put(folder, "x.pgn", make(size))


for use, command in PGN_USES.items():
    for name, make in PGN.items():
        if use in ("build", "verify") or name in PGN_ALL_USES:
            CASES.append(Case(f"pgn_{use}_{name}", pgn_maker(make), command,
                              size=1 << (13 if name in PGN_DEAR else 17)))

# Evaluations of others ---------------------------------------------------------------------------


def json_of(steps, turn, pvs=1, evals=1):
    back = -1 if turn == "w" else 1
    moves = [f"{m[0]}{int(m[1]) + back}{m}" for m in pushes(steps, turn)]
    lines = ",".join(f'{{"cp":{i % 99},"line":"{moves[i % len(moves)]}"}}' for i in range(pvs))
    one = ",".join(f'{{"pvs":[{lines}],"knodes":7,"depth":{i % 200}}}' for i in range(evals))
    return f'{{"fen":"{board(steps, turn)}","evals":[{one}]}}\n'


START_STEPS = (0,) * 16
IMPORTED = {
    "positions": lambda n: "".join(itertools.islice(
        (json_of(*at) for at in map(scattered, itertools.count()) if pushes(*at)), n // 150)),
    "pvs": lambda n: json_of(START_STEPS, "w", pvs=n // 26),
    "evals": lambda n: json_of(START_STEPS, "w", evals=n // 62),
    "members": lambda n: "{" + fill(n, '"a":[1,"b"],') + json_of(START_STEPS, "w")[1:],
    "open": lambda n: '{"fen":"' + fill(n, "x"),
    "brackets": lambda n: '{"a":' + fill(n, "["),
    "operations": lambda n: board(START_STEPS, "w") + " " + fill(n, "cdb eval: 1;"),
    "comments": lambda n: board(START_STEPS, "w") + " cdb eval: 1;\n" + fill(n, "#\n"),
}
for name, make in IMPORTED.items():
    CASES.append(Case(f"import_{name}", pgn_maker(make), "makebook import x.pgn -o out.store",
                      size=1 << 16))

# Books of positions ------------------------------------------------------------------------------


def epd_of(positions, size):
    lines = []
    length = 0
    for steps, turn in positions:
        moves = pushes(steps, turn)
        if not moves:
            continue
        weights = ", ".join(f"{m}={1 + i}" for i, m in enumerate(moves))
        lines.append(f'{board(steps, turn)} bm {" ".join(moves)}; c0 "{weights}";\n')
        length += len(lines[-1])
        if length >= size:
            break
    return "".join(lines)


@functools.cache
def dag_epd(size):
    return epd_of(transposing(), size)


@functools.cache
def scattered_epd(size):
    return epd_of(map(scattered, itertools.count()), size)


KING_LOOPS = ("b1 b2 c2 d2 e2 f2 g2 h2 h1 g1 f1 e1 d1 c1".split(),
              "g8 g7 f7 e7 d7 c7 b7 a7 a8 b8 c8 d8 e8".split())


def kings_epd(size):
    """One long line: kings that walk along rings of 14 and 13 squares, beside blocked pawns."""
    lines = []
    length = 0
    for ply in range(2 * len(KING_LOOPS[0]) * len(KING_LOOPS[1])):
        at = [KING_LOOPS[side][(ply + 1 - side) // 2 % len(KING_LOOPS[side])] for side in (0, 1)]
        squares = {at[0]: "K", at[1]: "k", "a4": "P", "a5": "p"}
        text = "/".join("".join(squares.get(f"{file}{rank}", ".") for file in "abcdefgh")
                        for rank in range(8, 0, -1))
        for count in range(8, 0, -1):
            text = text.replace("." * count, str(count))
        goal = KING_LOOPS[ply % 2][((ply + 1 - ply % 2) // 2 + 1) % len(KING_LOOPS[ply % 2])]
        lines.append(f"{text} {'wb'[ply % 2]} - - bm K{goal};\n")
        length += len(lines[-1])
        if length >= size:
            break
    return "".join(lines)


# Keys of Polyglot that are equal in their low bits: a key is the exclusive or of a number for each
# piece and square, so positions of White's pawns and of Black's can be made that fit together.

ALIKE_BITS = 13
ALIKE_KEYS = {}


def alike(folder, makebook):
    """The steps of positions with White to move whose keys have the same low bits."""
    def key(steps):
        put(folder, "one.epd", epd_of([(steps, "w")], 1))
        makebook("convert", "one.epd", "one.bin")
        with open(os.path.join(folder, "one.bin"), "rb") as file:
            return int.from_bytes(file.read(8), "big")

    def half(first):
        low = (1 << ALIKE_BITS) - 1
        start = key([0] * 16)
        changes = []
        for pawn in range(first, first + 8):
            steps = [0] * 16
            changes.append([0])
            for steps[pawn] in (1, 2):
                changes[-1].append((key(steps) ^ start) & low)
        for steps in itertools.product(range(3), repeat=8):
            yield functools.reduce(operator.xor, (c[s] for c, s in zip(changes, steps))), steps

    if not ALIKE_KEYS:
        white = {}
        for bits, steps in half(0):
            white.setdefault(bits, []).append(steps)
        ALIKE_KEYS["steps"] = [[*before, *behind] for bits, behind in half(8)
                               for before in white.get(bits, ())]
    return ALIKE_KEYS["steps"]


def alike_epd(size, folder, makebook):
    text = epd_of(((steps, "w") for steps in alike(folder, makebook)), size)
    put(folder, "made.epd", text)
    return put(folder, "x.epd", text)


EPD = {
    "dag": dag_epd,
    "scattered": scattered_epd,
    "kings": kings_epd,
    "same": lambda n: fill(n, f"{board([0] * 16, 'w')} bm a3;\n"),
    "moves": lambda n: f"{board([0] * 16, 'w')} bm {fill(n, 'a3 ')};\n",
    "bad_moves": lambda n: f"{board([0] * 16, 'w')} bm {fill(n, 'x ')};\n",
    "weights": lambda n: f"{board([0] * 16, 'w')} bm a3; c0 \"{fill(n, 'a3=1, ')}\";\n",
    "bad_weights": lambda n: f"{board([0] * 16, 'w')} bm a3; c0 \"{fill(n, ', ')}\";\n",
    "operations": lambda n: f"{board([0] * 16, 'w')} bm a3;{fill(n, ';')}\n",
    "quotes": lambda n: f"{board([0] * 16, 'w')} bm a3; c0 {fill(n, chr(34))}\n",
    "comments": lambda n: f"{board([0] * 16, 'w')} bm a3;\n{fill(n, '#' + chr(10))}",
    "bad_lines": lambda n: f"{board([0] * 16, 'w')} bm a3;\n{fill(n, 'x' + chr(10))}",
    "empty_lines": lambda n: f"{board([0] * 16, 'w')} bm a3;\n{fill(n, chr(10))}",
}


for use in ("verify x.epd", "stats x.epd", "diff x.epd made.epd",
            "prune x.epd -o out.epd --best 1"):
    CASES.append(Case(f"epd_{use.split()[0]}_alike", alike_epd, "makebook " + use, size=1 << 16))


def text_maker(kind, make):
    return lambda size, folder, makebook: put(folder, f"x.{kind}", make(size))


for name, make in EPD.items():
    dear = name in ("dag", "scattered", "kings", "same", "moves", "bad_moves", "weights",
                    "bad_weights", "bad_lines")
    for use in ("verify x.epd", "convert x.epd out.bin")[:2 if name in ("dag", "bad_moves") else 1]:
        CASES.append(Case(f"epd_{use.split()[0]}_{name}", text_maker("epd", make),
                          "makebook " + use, size=1 << (12 if dear else 17)))


def converted(kind, make, times=1):
    """A book of the kind, made of an EPD file. times: the bytes of EPD for one of the kind."""
    def write(size, folder, makebook):
        put(folder, "made.epd", make(int(size * times)))
        makebook("convert", "made.epd", f"x.{kind}")
        if kind == "bin":
            shutil.copy(os.path.join(folder, "x.bin"), os.path.join(folder, "made.bin"))
        return os.path.getsize(os.path.join(folder, f"x.{kind}"))
    return write


for kind, times in (("bin", 1.1), ("abk", 0.6), ("tree", 8), ("lines", 4), ("pgn", 4),
                    ("epd", 1)):
    for name, make in (("dag", dag_epd), ("scattered", scattered_epd)):
        if kind != "epd" and (kind not in ("lines", "abk") or name != "scattered"):
            CASES.append(Case(f"{kind}_verify_{name}", converted(kind, make, times),
                              "makebook verify x." + kind, size=1 << 11))
        if name != "scattered":
            for use in ("stats x." + kind, "convert x.bin out.lines", "convert x.bin out.pgn",
                        "convert x.bin out.tree", "dump x.bin", "diff x.bin builtin",
                        "prune x.bin -o out.bin --best 1", "explore x.bin -o out.html -q",
                        "merge x.bin made.bin -o out.bin")[:9 if kind == "bin" else 1]:
                word = use.split()[0] + ("_" + use[-4:].strip(".") if "convert" in use else "")
                CASES.append(Case(f"{kind}_{word}_whole_{name}",
                                  converted(kind, make, times), "makebook " + use,
                                  size=1 << 12))

START_KEY = 0x463B96181691FC9C


def bin_maker(entry):
    def write(size, folder, makebook):
        first = struct.pack(">QHHI", START_KEY, 12 << 6 | 28, 1, 0) if entry(1)[0] else b""
        entries = [struct.pack(">QHHI", *entry(i)) for i in range(size // 16)]
        return put(folder, "x.bin", first + b"".join(entries))
    return write


BIN = {
    "one_position": lambda i: (START_KEY, i % 8 << 6 | (i // 8 % 8) << 9 | i % 8 |
                               (i // 8 + 1 + i // 64 % 7) % 8 << 3, 1 + i % 9, 0),
    "one_move": lambda i: (START_KEY, 8 << 6 | 16, 65535, 0),
    "low_bits": lambda i: (START_KEY + (i + 1 << 32) & (1 << 64) - 1, 8 << 6 | 16, 1, 0),
    "high_bits": lambda i: (START_KEY + i, 8 << 6 | 16, 1, 0),
    "falling": lambda i: (START_KEY - 2 - i * (1 << 40), 8 << 6 | 16, 1, 0),
    "zeros": lambda i: (0, 0, 0, 0),
}
for name, entry in BIN.items():
    for use in ("verify x.bin", "verify x.bin --repair -o out.bin"):
        CASES.append(Case(f"bin_{'repair' if 'repair' in use else use.split()[0]}_{name}",
                          bin_maker(entry), "makebook " + use, size=1 << 15))

# Arena: records of 28 bytes, 900 of them before the first.


def abk_maker(record):
    """record(i, count): from, to, child, sibling, of which -1 is none."""
    def write(size, folder, makebook):
        count = max(size // 28, 1)
        records = [b"\3ABK".ljust(900 * 28, b"\0")]
        for i in range(count):
            start, end, child, sibling = record(i, count)
            records.append(struct.pack("<BBbBiiiiii", start, end, 0, 1, 1, 0, 0, 0,
                                       child if child < 0 else 900 + child % count,
                                       sibling if sibling < 0 else 900 + sibling % count))
        return put(folder, "x.abk", b"".join(records))
    return write


SHUFFLE = ((6, 21), (62, 45), (21, 6), (45, 62))
ABK = {
    "line": lambda i, n: (*SHUFFLE[i % 4], i + 1, -1),
    "siblings": lambda i, n: (8 + i % 8, 16 + i % 8, -1, i + 1),
    "shared": lambda i, n: (8 + i % 8, 16 + i % 8, i + 1, i + 1),
    "itself": lambda i, n: (6, 21, 0, 0),
    "tails": lambda i, n: (*SHUFFLE[i % 4], i + 1, n - 1 - i % 200),
    "lost": lambda i, n: (99, 99, i + 7, i + 1),
    "links": lambda i, n: (8 + i % 8, 16 + i % 8, 2 ** 30 - 900, -1),
}
for name, record in ABK.items():
    for use in ("verify x.abk",):
        CASES.append(Case(f"abk_{use.split()[0]}_{name}", abk_maker(record), "makebook " + use,
                          size=1 << 15))

# ChessBase: pages of 4096 bytes.

CTG_PIECES = {"P": "10", "N": "1101", "B": "1110", "R": "1111", "Q": "11001", "K": "11000"}


def ctg_position(steps):
    """White is to move."""
    squares = []
    for row in board(steps, "w").split()[0].split("/"):
        squares.append("".join("." * int(c) if c.isdigit() else c for c in row))
    bits = ""
    for file in range(8):
        for rank in range(8):
            piece = squares[7 - rank][file]
            bits += "0" if piece == "." else CTG_PIECES[piece.upper()] + str(int(piece.islower()))
    bits += "0" * (-(len(bits) + 4) % 8) + "1111"
    data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
    return bytes([len(data) + 1 | 64]) + data


def ctg_maker(stored):
    def write(size, folder, makebook):
        pages = [bytes([0, 0x20, 0x10, 0, 0, 1, 0, 1]).ljust(4096, b"\0")]
        number = 0
        while len(pages) * 4096 < size + 4096:
            page = b""
            count = 0
            while len(page) + len(following := stored(number)) <= 4092:
                page += following
                count += 1
                number += 1
            pages.append((struct.pack(">HH", count, 4 + len(page)) + page).ljust(4096, b"\0"))
        return put(folder, "x.ctg", b"".join(pages))
    return write


def ctg_stored(position, codes):
    moves = b"".join(bytes([code, 0]) for code in codes)
    return position + bytes([len(moves) + 1]) + moves + bytes(2) + b"\1" + bytes(30)


CTG = {
    "scattered": lambda i: ctg_stored(ctg_position(scattered(i)[0]), range(0, 127)),
    "same": lambda i: ctg_stored(ctg_position([0] * 16), [0xEC] * 127),
    "same_few": lambda i: ctg_stored(ctg_position([0] * 16), [0xEC]),
    "no_position": lambda i: ctg_stored(b"\1", []),
    "no_moves": lambda i: ctg_stored(ctg_position([0] * 16), [3] * 127),
}
for name, stored in CTG.items():
    for use in ("verify x.ctg",):
        CASES.append(Case(f"ctg_{use.split()[0]}_{name}", ctg_maker(stored), "makebook " + use,
                          size=1 << 14))

# Thompson's tree, its bytes alone: 128 another choice follows, 64 the line ends.

TREE = {
    "choices": lambda n: (b"\x80\x40" * 15 + b"\0") * (n // 31) + b"\x40",
    "jumps": lambda n: b"\0\0" + fill(n, lambda i: b"\x80\xc4\0\1\0") + b"\x40",
}
for name, make in TREE.items():
    for use in ("verify x.tree", "stats x.tree"):
        CASES.append(Case(f"tree_{use.split()[0]}_{name}", text_maker("tree", make),
                          "makebook " + use, size=1 << 11, memory_size=60000,
                          per_byte=30000))  # a byte is a move

# White's lines -----------------------------------------------------------------------------------


@functools.cache
def plain(number, plies=32):
    return " ".join(word for word in game(number, plies).split() if word[-1] != ".")


LINES = {
    "games": lambda n: fill(n, lambda i: plain(i) + "\n"),
    "same": lambda n: fill(n, plain(1) + "\n"),
    "shared": lambda n: "Nf3 Nf6 Ng1 Ng8 " * 249 + "\n" + fill(
        n, lambda i: f"*996 {'abcdefgh'[i % 8]}3\n"),
    "fan": lambda n: "Nf3 Nf6 Ng1 Ng8 " * 247 + "\n" + fill(
        n, lambda i: f"*988 {plain(i, 8)}\n"),
    "bad_moves": lambda n: "a3\n" + fill(n, "x\n"),
    "bad_shares": lambda n: "a3\n" + fill(n, "*9 a3\n"),
    "rewrites": lambda n: "a3 a6 b3\n" + fill(n, lambda i: f"{plain(i, 5)} = {swapped(i)}\n"),
    "weights": lambda n: fill(n, "a3:1\n"),
    "words": lambda n: "a3\n" + fill(n, "a3 ") + "\n",
    "notes": lambda n: "a3\n" + fill(n, ";\n"),
    "settings": lambda n: "prefer later 60%\na3\n" + fill(n, "prefer later 60%\n"),
    "empty_lines": lambda n: "a3\n" + fill(n, "\n"),
    "excepted": lambda n: "a3\notherwise a6 except " + fill(n, "a3,") + "\n",
}


def swapped(number):
    words = plain(number, 5).split()
    words[0], words[4] = words[4], words[0]
    return " ".join(words)


for name, make in LINES.items():
    for use in ("verify x.lines", "convert x.lines out.epd")[name == "fan":2 if name in ("games", "shared", "fan") else 1]:
        CASES.append(Case(f"lines_{use.split()[0]}_{name}", text_maker("lines", make),
                          "makebook " + use, size=1 << (14 if name == "fan" else 12)))

# Statistics, stores, weights by hand -------------------------------------------------------------


def statistics(make, damage=0):
    def write(size, folder, makebook):
        put(folder, "made.pgn", make(size * 4))
        makebook("build", "made.pgn", "-o", "x.wld", "-j1", "--updatable", "-q")
        path = os.path.join(folder, "x.wld")
        if damage:
            with open(path, "r+b") as file:
                data = bytearray(file.read())
                for at in range(1000, len(data), damage):
                    data[at] ^= 1
                file.seek(0)
                file.write(data)
        return os.path.getsize(path)
    return write


for name, damage in (("games", 0), ("damaged", 3000)):
    for use in ("verify x.wld", "convert x.wld out.bin --min-games 1",
                "convert x.wld out.bin --skip-damaged", "stats x.wld --counts",
                "merge x.wld x.wld --force -o out.wld -j1"):
        word = use.split("--")[1].split()[0] if "--" in use else "all"
        CASES.append(Case(f"wld_{use.split()[0]}_{word}_{name}",
                          statistics(PGN["games"], damage), "makebook " + use, size=1 << 12))


def store(repeat):
    def write(size, folder, makebook):
        games = fill(size // 8 if not repeat else 1 << 12,
                     lambda i: tagged(game(i)).replace('White "0"', f'White "A"]\n[Round "{i}'))
        put(folder, "made.pgn", games)
        makebook("build", "made.pgn", "-o", "made.bin", "--min-games", "1", "-q")
        makebook("learn", "made.pgn", "--book", "made.bin", "-o", "out.bin", "--player", "A",
                 "--depth", "4", "--threads", "1", "--hash", "1", "--store", "x.store", "-q")
        if repeat:
            path = os.path.join(folder, "x.store")
            with open(path, "rb") as file:
                data = file.read()
            header, record = data[:112], data[112:180]
            put(folder, "x.store", header + record * (size // len(record)))
        return os.path.getsize(os.path.join(folder, "x.store"))
    return write


for name in ("games", "repeated"):
    for use in ("verify x.store", "show x.store"):
        CASES.append(Case(f"store_{use.split()[0]}_{name}", store(name == "repeated"),
                          "makebook " + use, size=1 << 14))

OVERRIDES = {
    "lines": lambda n: fill(n, lambda i: f"{plain(i)} : 7\n"),
    "same": lambda n: fill(n, "a3 : 5\n"),
    "always": lambda n: "a3 : always\n" + fill(n, lambda i: f"{'bcdefgh'[i % 7]}3 : 5\n"),
    "bad_moves": lambda n: fill(n, "x : 5\n"),
    "no_colon": lambda n: fill(n, "x\n"),
    "colons": lambda n: fill(n, ":") + "\n",
    "words": lambda n: fill(n, "a3 ") + ": 5\n",
    "numbers": lambda n: fill(n, "1.") + " a3 : 5\n",
    "empty_lines": lambda n: fill(n, "\n"),
}


def overrides(make):
    def write(size, folder, makebook):
        put(folder, "x.pgn", tagged(game(1)))
        return put(folder, "by_hand", make(size))
    return write


for name, make in OVERRIDES.items():
    CASES.append(Case(f"override_{name}", overrides(make), "makebook build x.pgn -o out.bin "
                      "--min-games 1 --override by_hand -j1", size=1 << 14))

# Packed games ------------------------------------------------------------------------------------


def zip_of(size, name):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(max(size // 130, 1)):
            archive.writestr(name.format(i), "" if "empty" in name else "1. a3 *\n")
    return buffer.getvalue()


def zstd_frame(data):
    return (b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) +
            (len(data) << 3 | 1).to_bytes(3, "little") + data)


PACKED = {
    "zip_games": lambda n: zip_of(n, "{}.pgn"),
    "zip_empty": lambda n: zip_of(n, "empty{}.pgn"),
    "zip_others": lambda n: zip_of(n, "{}.txt"),
    "gzip": lambda n: fill(n, gzip.compress(b"1. a3 *\n")),
    "gzip_empty": lambda n: gzip.compress(b"1. a3 *\n") + fill(n, gzip.compress(b"")),
    "bzip2": lambda n: fill(n, bz2.compress(b"1. a3 *\n", 1)),
    "bzip2_empty": lambda n: bz2.compress(b"1. a3 *\n", 1) + fill(n, bz2.compress(b"", 1)),
    "xz": lambda n: fill(n, lzma.compress(b"1. a3 *\n", preset=0)),
    "xz_empty": lambda n: lzma.compress(b"1. a3 *\n", preset=0) + fill(
        n, lzma.compress(b"", preset=0)),
    "zstd": lambda n: fill(n, zstd_frame(b"1. a3 *\n")),
    "zstd_empty": lambda n: zstd_frame(b"1. a3 *\n") + fill(n, zstd_frame(b"")),
    "zstd_skipped": lambda n: zstd_frame(b"1. a3 *\n") + fill(
        n, b"\x50\x2a\x4d\x18\0\0\0\0"),
}
for name, make in PACKED.items():
    for use in ("build x.pgn -o out.bin --min-games 1 --unfinished -j1", "show x.pgn"):
        if use.startswith("build") or not name.startswith("zip"):
            CASES.append(Case(f"packed_{use.split()[0]}_{name}", pgn_maker(make),
                              "makebook " + use, size=1 << 14))

# The engine --------------------------------------------------------------------------------------

UCI = {
    "moves": lambda n: "position startpos moves " + fill(n, "g1f3 g8f6 f3g1 f6g8 ") + "\n",
    "positions": lambda n: fill(n, "position startpos\n"),
    "fens": lambda n: fill(n, lambda i: f"position fen {board(*scattered(i))} 0 1\n"),
    "ready": lambda n: fill(n, "isready\n"),
    "unknown": lambda n: fill(n, "x\n"),
    "words": lambda n: fill(n, "x ") + "\n",
    "long": lambda n: fill(n, "x") + "\n",
    "endless": lambda n: fill(n, "x"),
    "searchmoves": lambda n: "go depth 1 searchmoves " + fill(n, "a2a3 ") + "\n",
    "options": lambda n: fill(n, "setoption name MultiPV value 3\n"),
    "no_options": lambda n: fill(n, "setoption name x\n"),
    "value": lambda n: "setoption name BookFile value " + fill(n, "x,") + "\n",
    "empty_lines": lambda n: fill(n, "\n"),
    "zeros": lambda n: fill(n, "\0"),
}
for name, make in UCI.items():
    dear = name in ("fens", "unknown", "no_options", "positions", "searchmoves", "value")
    CASES.append(Case(f"uci_{name}",
                      lambda size, folder, makebook, make=make: put(folder, "stdin", make(size)),
                      "caxton", size=1 << (13 if dear else 15)))


def book_maker(write, kind):
    def make(size, folder, makebook):
        put(folder, "stdin", f"setoption name OwnBook value true\n"
            f"setoption name BookFile value x.{kind}\nposition startpos\ngo depth 1\nquit\n")
        return write(size, folder, makebook)
    return make


for kind, write in (("pgn", pgn_maker(PGN["games"])), ("bin", bin_maker(BIN["one_position"])),
                    ("abk", abk_maker(ABK["shared"])), ("ctg", ctg_maker(CTG["same"])),
                    ("epd", text_maker("epd", EPD["dag"])),
                    ("lines", text_maker("lines", LINES["games"])),
                    ("tree", converted("tree", dag_epd, 8)), ("store", store(True)),
                    ("wld", statistics(PGN["games"]))):
    CASES.append(Case(f"book_{kind}", book_maker(write, kind), "caxton", size=1 << 15))


def network(size, folder, makebook):
    put(folder, "stdin", "setoption name EvalFile value x.nnue\nisready\nquit\n")
    return put(folder, "x.nnue", b"CAXNNUE\0" + b"\1" * size)


CASES.append(Case("network", network, "caxton", size=1 << 17))

# What other programs say -------------------------------------------------------------------------

ENGINE_LINES = {
    "pv": lambda n: "info depth 1 score cp 1 pv " + fill(n, "e2e4 ") + "\n",
    "fields": lambda n: "info " + fill(n, "depth 1 ") + "\n",
    "option": lambda n: "option name a type combo " + fill(n, "var x ") + "\n",
    "lines": lambda n: fill(n, "info depth 1 score cp 1 nodes 1\n"),
    "blanks": lambda n: "info " + fill(n, " ") + "\n",
}
for name, make in ENGINE_LINES.items():
    CASES.append(Case(f"engine_{name}", text_maker("txt", make), "fuzz_engine_lines x.txt",
                      size=1 << 15))
for kind, name in enumerate(("address", "run", "job", "answer")):
    for word, filler in (("letters", b"x"), ("words", b"1 "), ("signs", b"@:/")):
        CASES.append(Case(
            f"queue_{name}_{word}",
            lambda size, folder, makebook, kind=kind, filler=filler: put(
                folder, "x.txt", bytes([kind | 8]) + b"redis://"[:8 * (kind == 0)] +
                filler * (size // len(filler))),
            "fuzz_queue x.txt", size=1 << 16))

# A foreign engine that says `said` in each search.
ENGINE = """while read -r command rest; do
    case $command in
    uci) printf 'id name X\\noption name Hash type spin default 1 min 1 max 8\\nuciok\\n' ;;
    isready) echo readyok ;;
    position) case $rest in *r3k2r/p1ppqpb1*) m=e2a6 ;; *8/2p5/3p4/KP5r*) m=b4b1 ;;
        *) m=h2h3 ;; esac ;;
    go) cat said; echo "info depth 3 score cp 1 nodes 99 pv $m"; echo "bestmove $m" ;;
    quit) exit 0 ;;
    esac
done
"""


def engine_maker(make):
    def write(size, folder, makebook):
        put(folder, "engine.sh", ENGINE)
        put(folder, "x.epd", f"{board([0] * 16, 'w')} bm h3;\n")
        return put(folder, "said", make(size))
    return write


for name, make in (("lines", lambda n: fill(n, "info depth 1 score cp 1 nodes 1\n")),
                   ("long_lines", lambda n: fill(n, "info pv " + "e2e4 " * 9999 + "\n")),
                   ("empty_lines", lambda n: fill(n, "\n"))):
    CASES.append(Case(f"vet_engine_{name}", engine_maker(make),
                      ["makebook", "vet", "x.epd", "--engine", "sh engine.sh", "--depth", "2",
                       "--scan", "2", "--confirm", "2", "--threads", "1", "--hash", "1", "-q"],
                      size=1 << 16))


def ask(request):
    """Sends about `size` bytes of requests to makebook explore --serve, then ends it."""
    def talk(child, folder, size):
        port = None
        while port is None:
            time.sleep(0.05)
            os.kill(child, 0)  # is it there?
            for name in ("stdout", "stderr"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found = re.search(r"http://[^:/]+:(\d+)", file.read())
                port = int(found.group(1)) if found else port
        sent = 0
        while sent < size:
            text = request(size)
            sent += len(text)
            with socket.create_connection(("127.0.0.1", port), timeout=60) as link:
                try:
                    link.sendall(text)
                    while link.recv(1 << 16):
                        pass
                except OSError:
                    pass  # refused
        os.kill(child, signal.SIGINT)
    return talk


def get(path, headers=""):
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n".encode()


START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201"
HTTP = {
    "moves": lambda n: get(f"/moves?fen={START_FEN}"),
    "more": lambda n: get(f"/more?fen={START_FEN}&line=" + "1" * 1000),
    "unknown": lambda n: get("/" + "x" * 1000),
    "headers": lambda n: get("/", "X: y\r\n" * (n // 6)),
    "path": lambda n: get("/" + "x" * n),
}


def served(size, folder, makebook):
    put(folder, "x.epd", dag_epd(1 << 12))
    return size


for name, request in HTTP.items():
    CASES.append(Case(f"http_{name}", served, "makebook explore x.epd --serve --port 0 -q",
                      size=1 << 12, memory_size=1 << 16, talk=ask(request)))
