"""Recomputes statistics by rating, speed and month from the games, with python-chess.

    python3 tests/campaign/facets_oracle.py MAKEBOOK PGN... [--triples N] [--max-ply N] [--seed N]
        [--serve]

PGN files are UTF-8 and not packed. The games are counted by makebook build --facets, the table of
makebook dump --csv is read, and N (100,000) random triples of a position, a move and a filter are
compared: games, wins, draws, losses, and the sums of the ratings of who made the move and of the
opponent over the games of which both are known (so their means, too). The filters are applied here,
to games and to rows. Seven of ten let a game of the move pass; one triple in fifty asks for a move
that was not played. FEN, side to move and SAN of these rows are those of python-chess, rows are in
order, and all rows together add up to all games.

With --serve each triple is also asked of makebook serve by HTTP, which applies the filter itself:
games by result, and averageRating, the mean of who made the move, half rounded up. Filters with a
year before 1952 or after 3000 are not asked; the interface refuses them.

Then the games are dealt out to four files: counted apart and merged in any order they give the
bytes of one build; and a build --add-to that is killed leaves the old file, and made again, the
bytes of one build.

Rules, written from the documented ones and not from makebook's source:
- A game counts if it is standard chess from the usual start, has a result (Result, or else what
  ends the moves) and a move. One with an illegal move counts if that lies behind --max-ply.
- Counted are the first --max-ply (50) plies. A position counts once a game, with the move FIRST
  played in it; where the game ends nothing is counted. Bots are not left out. Equal games count
  each time (--keep-duplicates).
- A position is pieces, side to move, castling rights, and the file of an en passant capture that a
  pawn stands ready for, be it legal or not, as in Polyglot's key; the public explorer asks whether
  it is legal. Castling is king takes rook.
- Rating group: floor((white + black) / 2), the largest of 0 1000 1200 1400 1600 1800 2000 2200 2500
  that is not above it; unknown unless WhiteElo and BlackElo are both numbers from 1 to 4095.
- Speed: s = base + 40 increments of TimeControl, or of "M/B" 40 B / M rounded down; below 30
  ultraBullet, 180 bullet, 480 blitz, 1500 rapid, 21600 classical, else correspondence, as "-" is.
- Month: of Date; of UTCDate where Date is missing or its year begins with "?". 2024, 2024.??.?? and
  2024.00.00 are dates, 2024.13.01 and 2023.02.29 are none.
- A game of unknown rating, speed or date passes where all of them do. One of which only the year is
  known passes where all months of the year do.

Exits 0 when all is equal, 1 with a line for each fault, 77 when python-chess is not here."""

import argparse
import array
import datetime
import http.client
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

try:
    import chess
    import chess.pgn
    import chess.polyglot
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(77)

SHOWN_MAX = 20
SHARDS = 4
STARTS = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500)
SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"),
          (21600, "classical"))
SPEED_NAMES = [name for _, name in SPEEDS] + ["correspondence"]
COLUMNS = ("key fen turn uci san games wins draws losses rated ratings opponent_ratings speed "
           "rating_group month").split()
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
faults = 0


def fault(text):
    global faults
    faults += 1
    if faults <= SHOWN_MAX:
        print(text)


# Games ------------------------------------------------------------------------------------------

def speed_of(control):
    control = control.strip()
    if control == "-":
        return "correspondence"
    found = re.fullmatch(r"(?:([0-9]{1,9})/)?([0-9]{1,9})(?:\+([0-9]{1,9}))?(?::.*)?", control)
    if not found or found[1] and not int(found[1]):
        return ""
    seconds = int(found[2]) * 40 // int(found[1] or 40) + 40 * int(found[3] or 0)
    return next((name for below, name in SPEEDS if seconds < below), "correspondence")


def month_of(headers):
    date = headers.get("Date", "").strip()
    if not date or date.startswith("?"):
        date = headers.get("UTCDate", "").strip() or date
    found = re.fullmatch(r"([0-9]{4})(?:[./-]([0-9?]{1,2})(?:[./-]([0-9?]{1,2}))?)?", date)
    if not found or found[1] == "0000":
        return ""
    year, month, day = (found[i] or "??" for i in (1, 2, 3))
    if "?" in month or int(month) == 0:
        return year
    try:
        datetime.date(int(year), int(month), 1 if "?" in day or int(day) == 0 else int(day))
    except ValueError:
        return ""
    return f"{year}-{int(month):02}"


def rating_of(text):
    text = text.strip()
    return int(text) if re.fullmatch("[0-9]{1,9}", text) and 1 <= int(text) <= 4095 else 0


class Game:
    def __init__(self, headers, end):
        self.headers = headers
        result = headers.get("Result", "").strip()
        self.result = RESULTS.get(result if result in RESULTS else end)
        ratings = [rating_of(headers.get(tag, "")) for tag in ("WhiteElo", "BlackElo")]
        self.ratings = ratings if all(ratings) else (0, 0)
        self.group = max(s for s in STARTS if s <= sum(ratings) // 2) if all(ratings) else None
        self.speed = speed_of(headers.get("TimeControl", ""))
        self.month = month_of(headers)


def uci_of(board, move):
    """Castling as king takes rook."""
    if board.is_castling(move):
        rooks = [s for s in chess.scan_forward(board.castling_rights)
                 if chess.square_rank(s) == chess.square_rank(move.from_square)]
        kingside = chess.square_file(move.to_square) > chess.square_file(move.from_square)
        return chess.square_name(move.from_square) + chess.square_name(
            max(rooks) if kingside else min(rooks))
    return move.uci()


class Reader(chess.pgn.BaseVisitor):
    def __init__(self, max_ply):
        self.max_ply = max_ply

    def visit_header(self, name, value):
        self.headers[name] = value

    def begin_game(self):
        self.headers = {}
        self.plies = 0
        self.bad = False
        self.end = ""
        self.moves = {}

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        if self.plies < self.max_ply:
            key = chess.polyglot.zobrist_hash(board)
            self.moves.setdefault(key, (uci_of(board, move), board.turn))
        self.plies += 1

    def handle_error(self, error):
        self.bad = self.bad or self.plies < self.max_ply

    def visit_result(self, result):
        self.end = result

    def result(self):
        game = Game(self.headers, self.end)
        usual = self.headers.get("FEN") in (None, chess.STARTING_FEN) and \
            self.headers.get("Variant", "Standard").lower() in ("standard", "chess", "normal")
        game.moves = self.moves
        game.counts = usual and not self.bad and self.moves and game.result is not None
        return game


class Played:
    """Every move of every position, with the games in which it counts."""

    def __init__(self):
        self.games = []
        self.texts = []
        self.moves = {}  # (key, uci): numbers of games
        self.turns = {}  # by key
        self.read = 0

    def add(self, text, max_ply):
        stream = io.StringIO(text)
        start = 0
        while True:
            game = chess.pgn.read_game(stream, Visitor=lambda: Reader(max_ply))
            if game is None:
                return
            end = stream.tell()
            self.texts.append(text[start:end])
            start = end
            self.read += 1
            if not game.counts:
                continue
            number = len(self.games)
            self.games.append(game)
            for key, (uci, turn) in game.moves.items():
                self.moves.setdefault((key, uci), array.array("I")).append(number)
                self.turns[key] = turn
            game.moves = None


# Filters ----------------------------------------------------------------------------------------

class Filter:
    def __init__(self, rng, months):
        draw = rng.random()
        self.groups = None if draw < 0.3 else set(rng.sample(STARTS, rng.randint(1, 5)))
        if draw > 0.7:
            low = rng.randrange(len(STARTS))
            self.groups = set(STARTS[low:low + rng.randint(1, 4)])
        self.speeds = None if rng.random() < 0.4 else set(rng.sample(SPEED_NAMES,
                                                                     rng.randint(1, 4)))
        since, until = sorted(rng.choice(months) for _ in range(2))
        self.since = since if rng.random() < 0.5 else None
        self.until = until if rng.random() < 0.5 else None

    def let_pass(self, game):
        """Makes the filter wider, so that it takes the game."""
        if self.groups is not None:
            self.groups = None if game.group is None else self.groups | {game.group}
        if self.speeds is not None:
            self.speeds = self.speeds | {game.speed} if game.speed else None
        if self.since is not None:
            self.since = min(self.since, (game.month + "-01")[:7]) if game.month else None
        if self.until is not None:
            self.until = max(self.until, (game.month + "-12")[:7]) if game.month else None

    def passes(self, group, speed, month):
        if self.groups is not None and group not in self.groups:
            return False
        if self.speeds is not None and speed not in self.speeds:
            return False
        if not month:
            return self.since is None and self.until is None
        first, last = (month, month) if len(month) > 4 else (month + "-01", month + "-12")
        return (self.since is None or self.since <= first) and \
            (self.until is None or last <= self.until)

    def query(self):
        """As the interface has it. None: it cannot be asked."""
        fields = {"since": self.since, "until": self.until}
        if any(month and not "1952" <= month[:4] <= "3000" for month in fields.values()):
            return None
        fields["ratings"] = self.groups and ",".join(map(str, self.groups))
        fields["speeds"] = self.speeds and ",".join(self.speeds)
        return {name: value for name, value in fields.items() if value}

    def __str__(self):
        return f"ratings {self.groups}, speeds {self.speeds}, {self.since} to {self.until}"


def sums_of(games, numbers, turn, wanted):
    """Games, wins, draws, losses, rated games, ratings of the mover and of the other."""
    sums = [0] * 7
    for number in numbers:
        game = games[number]
        if not wanted.passes(game.group, game.speed, game.month):
            continue
        points = game.result if turn == chess.WHITE else -game.result
        sums[0] += 1
        sums[2 - points] += 1
        if game.group is not None:
            sums[4] += 1
            sums[5] += game.ratings[0 if turn == chess.WHITE else 1]
            sums[6] += game.ratings[1 if turn == chess.WHITE else 0]
    return sums


def draw_triples(rng, played, count):
    """Half of the moves by how often they were played, half of them alike."""
    moves = list(played.moves)
    weights = [len(played.moves[m]) for m in moves]
    chosen = rng.choices(moves, weights, k=count // 2) + rng.choices(moves, k=count - count // 2)
    months = sorted({g.month for g in played.games if len(g.month) > 4} or {"2000-01"})
    months += [months[0][:4] + "-01", months[-1][:4] + "-12", "1999-12"]
    triples = []
    for i, (key, uci) in enumerate(chosen):
        wanted = Filter(rng, months)
        if rng.random() < 0.7:
            wanted.let_pass(played.games[rng.choice(played.moves[key, uci])])
        if i % 50 == 49:
            uci = "a1a1" if i % 100 == 99 else rng.choice(moves)[1]
        triples.append(((key, uci), wanted))
    return triples


# makebook ---------------------------------------------------------------------------------------

def run(*words):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode != 0:
        print(" ".join(str(w) for w in words), "failed:", done.stderr)
        sys.exit(1)
    return done.stdout


def stored(uci):
    """A move as a number, by which moves of a position are sorted."""
    return (" nbrq".find(uci[4:] or " ") << 12 | chess.parse_square(uci[:2]) << 6 |
            chess.parse_square(uci[2:4]))


class Table:
    """Rows of the moves that are wanted, read while the table is written."""

    def __init__(self, makebook, path, wanted):
        self.rows = {}
        self.fens = {}
        self.count = 0
        self.totals = [0] * 7
        dump = subprocess.Popen([makebook, "dump", path, "--csv"], stdout=subprocess.PIPE,
                                text=True)
        if dump.stdout.readline().rstrip("\n").split(",") != COLUMNS:
            fault("other columns than " + ",".join(COLUMNS))
        last = (-1,)
        for line in dump.stdout:
            row = line.rstrip("\n").split(",")
            move = (int(row[0], 16), row[3])
            sums = [int(n) for n in row[5:12]]
            place = (move[0], stored(move[1]), row[14],
                     SPEED_NAMES.index(row[12]) if row[12] else -1, int(row[13] or -1))
            if last >= place:
                fault(f"out of order: {line}")
            last = place
            self.count += 1
            self.totals = [a + b for a, b in zip(self.totals, sums)]
            if sum(sums[1:4]) != sums[0] or sums[0] == 0:
                fault(f"wins, draws and losses do not add up: {line}")
            if move in wanted:
                self.take(move, row, sums)
        if dump.wait() != 0:
            fault(f"makebook dump: exit status {dump.returncode}")

    def take(self, move, row, sums):
        if move not in self.rows:
            self.rows[move] = []
            self.fens[move[0]] = row[1]
            self.check_names(move, row)
        self.rows[move].append((int(row[13]) if row[13] else None, row[12], row[14], sums))

    @staticmethod
    def check_names(move, row):
        board = chess.Board(row[1])
        made = [m for m in board.legal_moves if uci_of(board, m) == move[1]]
        if chess.polyglot.zobrist_hash(board) != move[0] or not board.is_valid():
            fault(f"{row[0]}: {row[1]} is another position")
        elif not made or board.san(made[0]) != row[4]:
            fault(f"{row[0]}: {row[3]} is not {row[4]}")
        if row[2] != ("white" if board.turn else "black"):
            fault(f"{row[0]}: {row[2]} is not to move")

    def sums(self, move, wanted):
        sums = [0] * 7
        for group, speed, month, counts in self.rows.get(move, ()):
            if wanted.passes(group, speed, month):
                sums = [a + b for a, b in zip(sums, counts)]
        return sums


def ask(connection, fen, query):
    """The answer of /lichess; its moves by UCI."""
    query = {"fen": fen, "moves": 500, "topGames": 0, "recentGames": 0, **query}
    connection.request("GET", "/lichess?" + urllib.parse.urlencode(query))
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        return f"{response.status} {body}"
    return {move["uci"]: move for move in json.loads(body)["moves"]}


def compare_served(makebook, played, path, triples, fens):
    """Returns how many triples were asked."""
    server = subprocess.Popen([makebook, "serve", path, "--port", "0"], stdout=subprocess.PIPE,
                              text=True)
    address = re.search("//([^/]*)/", server.stdout.readline())[1]
    connection = http.client.HTTPConnection(address)
    asked = 0
    for (key, uci), wanted in triples:
        query = wanted.query()
        if query is None or key not in fens:
            continue
        asked += 1
        turn = played.turns[key]
        games, wins, draws, losses, rated, ratings, _ = sums_of(
            played.games, played.moves.get((key, uci), ()), turn, wanted)
        white, black = (wins, losses) if turn == chess.WHITE else (losses, wins)
        right = [white, draws, black] if games else None
        answer = ask(connection, fens[key], query)
        move = answer.get(uci) if isinstance(answer, dict) else answer
        found = move and isinstance(move, dict) and [move[n] for n in ("white", "draws", "black")]
        if isinstance(answer, str) or (found or None) != right or (
                rated and move["averageRating"] != (2 * ratings + rated) // (2 * rated)):
            fault(f"serve: {fens[key]} {uci}, {wanted}: {move}, the games say {right}, "
                  f"{ratings} / {rated}")
    connection.close()
    server.terminate()
    server.wait()
    return asked


def compare(makebook, played, path, triples):
    table = Table(makebook, path, {move for move, _ in triples})
    facets = asked = 0
    for move, wanted in triples:
        numbers = played.moves.get(move, ())
        turn = played.turns.get(move[0], chess.WHITE)
        right = sums_of(played.games, numbers, turn, wanted)
        found = table.sums(move, wanted)
        asked += right[0] > 0
        if right != found:
            fault(f"{move[0]:016x} {move[1]}, {wanted}: {found}, the games say {right}")
    plies = sum(map(len, played.moves.values()))
    if table.totals[0] != plies:
        fault(f"{table.totals[0]} moves are counted, the games have {plies}")
    return table, asked


# Bytes ------------------------------------------------------------------------------------------

def same(one, other):
    with open(one, "rb") as a, open(other, "rb") as b:
        return a.read() == b.read()


def deal_out(played, folder, rng):
    """The games in SHARDS files, each game in one of them."""
    paths = [os.path.join(folder, f"shard{i}.pgn") for i in range(SHARDS)]
    files = [open(p, "w", encoding="utf-8", errors="surrogateescape", newline="") for p in paths]
    for text in played.texts:
        rng.choice(files).write(text.strip("\n") + "\n\n")
    for file in files:
        file.close()
    return paths


def check_shards(makebook, shards, options, folder, rng, one):
    parts = []
    for shard in shards:
        parts.append(shard[:-3] + "wld")
        run(makebook, "build", shard, "--stats", parts[-1], "-q", *options)
    out = os.path.join(folder, "sum.wld")
    half = os.path.join(folder, "half.wld")
    for _ in range(3):
        rng.shuffle(parts)
        run(makebook, "merge", *parts, "-o", out, "-q")
        if not same(out, one):
            fault("shards merged at once are not the bytes of one build")
        run(makebook, "merge", *parts[:2], "-o", half, "-q")
        run(makebook, "merge", parts[2], half, *parts[3:], "-o", out, "-q")
        if not same(out, one):
            fault("shards merged one after the other are not the bytes of one build")


def check_killed(makebook, shards, options, folder, rng):
    """Returns how often the program was killed before it ended."""
    total = os.path.join(folder, "total.wld")
    right = os.path.join(folder, "right.wld")
    run(makebook, "build", *shards, "--stats", right, "--updatable", "-q", *options)
    run(makebook, "build", *shards[:2], "--stats", total, "--updatable", "-q", *options)
    with open(total, "rb") as file:
        before = file.read()
    words = [makebook, "build", *shards[2:], "--add-to", total, "-q", *map(str, options)]
    start = time.monotonic()
    subprocess.run(words, check=True)
    took = time.monotonic() - start
    if not same(total, right):
        fault("--add-to does not give the bytes of one build")
    killed = 0
    for _ in range(20):
        with open(total, "wb") as file:
            file.write(before)
        build = subprocess.Popen(words)
        time.sleep(rng.random() * took)
        build.kill()
        if build.wait() == 0:
            continue
        killed += 1
        with open(total, "rb") as file:
            left = file.read()
        if left != before and not same(total, right):
            fault("a build that was killed left other statistics")
        run(*words)
        if not same(total, right):
            fault("killed and made again is not the bytes of one build")
    return killed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("makebook")
    parser.add_argument("pgn", nargs="+")
    parser.add_argument("--triples", type=int, default=100000)
    parser.add_argument("--max-ply", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    played = Played()
    for path in given.pgn:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            played.add(file.read().replace("\r\n", "\n"), given.max_ply)
    triples = draw_triples(rng, played, given.triples)
    options = ["--max-ply", given.max_ply, "--facets", "rating,speed,month"]
    with tempfile.TemporaryDirectory() as folder:
        one = os.path.join(folder, "one.wld")
        run(given.makebook, "build", *given.pgn, "--stats", one, "-q", "--keep-duplicates",
            *options)
        table, asked = compare(given.makebook, played, one, triples)
        print(f"{played.read} games, {len(played.games)} count; {table.count} rows; "
              f"{len(triples)} triples, {asked} of them with games")
        if given.serve:
            asked = compare_served(given.makebook, played, one, triples, table.fens)
            print(f"{asked} triples asked of makebook serve")
        shards = deal_out(played, folder, rng)
        check_shards(given.makebook, shards, [*options, "--keep-duplicates"], folder, rng, one)
        killed = check_killed(given.makebook, shards, options, folder, rng)
        print(f"{SHARDS} shards in any order; {killed} of 20 builds killed and made again")
    print(f"{faults} differences")
    return 1 if faults else 0


sys.exit(main())
