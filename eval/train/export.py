"""The network file (eval/network.c has its layout), its integer arithmetic once more in numpy, and
vectors that the engine's own code must reproduce. Independent of loader.c and layer.c on purpose."""
import random
import struct

import numpy
import torch
from library import BUCKETS
from model import QA, QB

SCALE = 400
LETTERS = "PpNnBbRrQqKkRr"


def fnv(data):
    """FNV-1a, 64 bits."""
    total = 14695981039346656037
    for byte in data:
        total = (total ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return total


def quantise(network, king_buckets):
    """The integers of the file, features as rows of all hidden units."""
    def rounded(tensor, scale, limit):
        return numpy.rint(numpy.clip(tensor.detach().cpu().double().numpy() * scale,
                                     -limit, limit)).astype(numpy.int64)
    features, bias, output = network.weights()
    return {
        "features": rounded(features.transpose(0, 1).reshape(network.rows, -1), QA, 4095),
        "bias": rounded(bias.view(-1), QA, 32767),
        "output": rounded(output.permute(1, 2, 0, 3).reshape(BUCKETS, -1), QB, 127),
        "output_bias": rounded(network.output_bias, QA * QB, 2**31 - 1),
        "king_buckets": king_buckets}


def pack(weights):
    """Weights in a byte each, or in two where they are large; see eval/network.c."""
    is_long = (weights < -112) | (weights >= 112)
    far = weights + 4096
    pairs = numpy.stack((numpy.where(is_long, 224 + (far >> 8), weights + 112), far & 255), 1)
    return pairs[numpy.stack((numpy.ones_like(is_long), is_long), 1)].astype(numpy.uint8).tobytes()


def write(path, numbers, description):
    """The network file."""
    body = bytes(numbers["king_buckets"]) + description.encode("ascii")[:127].ljust(128, b"\0")
    body += pack(numbers["features"].reshape(-1))
    for name, kind in (("bias", "<i2"), ("output", "<i2"), ("output_bias", "<i4")):
        body += numbers[name].astype(kind).tobytes()
    with open(path, "wb") as file:
        file.write(b"CXTNNET1" + struct.pack("<4IQ", 2, len(numbers["bias"]), len(
            numbers["features"]) // 768, BUCKETS, fnv(body)) + body)


def read(path):
    """The integers of a network file, as quantise() gives them."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, hidden, buckets, outputs, total = struct.unpack_from("<8s4IQ", data)
    if magic != b"CXTNNET1" or version not in (1, 2) or outputs != BUCKETS:
        raise ValueError("no network of Caxton's")
    if fnv(data[32:]) != total:
        raise ValueError("the checksum does not match")
    count = buckets * 768 * hidden
    rest = data[-2 * hidden * (1 + 2 * BUCKETS) - 4 * BUCKETS:]
    body = data[192:len(data) - len(rest)]
    features = unpack(body) if version == 2 else numpy.frombuffer(body, "<i2").astype(numpy.int64)
    if len(features) != count:
        raise ValueError(f"{len(features)} feature weights in place of {count}")
    output_at = 2 * hidden
    bias_at = output_at + 4 * hidden * BUCKETS
    return {
        "features": features.reshape(-1, hidden),
        "bias": numpy.frombuffer(rest[:output_at], "<i2").astype(numpy.int64),
        "output": numpy.frombuffer(rest[output_at:bias_at], "<i2").astype(
            numpy.int64).reshape(BUCKETS, -1),
        "output_bias": numpy.frombuffer(rest[bias_at:], "<i4").astype(numpy.int64),
        "king_buckets": list(data[32:64])}


def unpack(packed):
    """Weights of pack()."""
    numbers = numpy.frombuffer(packed, numpy.uint8).astype(numpy.int64)
    # A byte from 224 on begins a pair, unless it is the second one of a pair: of such bytes in a
    # row, the odd ones in number begin.
    large = numpy.append(numbers >= 224, False)
    place = numpy.arange(len(large))
    run = numpy.where(large, 0, place + 1)
    in_run = place - numpy.maximum.accumulate(run)
    first = large[:-1] & (in_run[:-1] % 2 == 0)
    second = numpy.roll(first, 1)
    values = numpy.where(first, 256 * (numbers - 224) + numpy.roll(numbers, -1) - 4096,
                         numbers - 112)
    return values[~second]


def state_of(numbers, king_buckets, tile):
    """A network's state of the integers, with the buckets that `king_buckets` wants: a set of
    weights is taken for each bucket that has the king on squares of one set only."""
    source = {}
    for new, old in zip(king_buckets, numbers["king_buckets"]):
        if source.setdefault(new, old) != old:
            raise ValueError(f"its king buckets {sorted({source[new], old})} would be joined")
    hidden = len(numbers["bias"])
    features = numbers["features"].reshape(-1, 768, hidden)[[source[b] for b in sorted(source)]]
    tiles = hidden // tile

    def floats(array, scale, *shape):
        return torch.from_numpy(array.astype(numpy.float32) / scale).reshape(shape)
    return {
        "features": floats(features, QA, -1, tiles, tile).transpose(0, 1).contiguous(),
        "bias": floats(numbers["bias"], QA, tiles, tile),
        "output": floats(numbers["output"], QB, BUCKETS, 2, tiles, tile).permute(
            2, 0, 1, 3).contiguous(),
        "output_bias": floats(numbers["output_bias"], QA * QB, BUCKETS)}


def fen_of(packed):
    """The FEN of a packed position, castling by file letters."""
    occupied, board, rights = int.from_bytes(packed[:8], "little"), {}, [[], []]
    for place, square in enumerate(s for s in range(64) if occupied >> s & 1):
        code = packed[8 + place // 2] >> 4 * (place % 2) & 15
        board[square] = LETTERS[code]
        if code >= 12:
            rights[code - 12].append("ABCDEFGH"[square % 8])
    rows = ["".join(board.get(8 * rank + file, ".") for file in range(8))
            for rank in range(7, -1, -1)]
    black, file = packed[24] & 1, packed[24] >> 1
    passant = "-" if file == 8 else "abcdefgh"[file] + "63"[black]
    castling = "".join(rights[0]) + "".join(rights[1]).lower() or "-"
    return join_fen(rows, "wb"[black], castling, passant, packed[25])


def join_fen(rows, turn, castling, passant="-", clock=0):
    """FEN from eight rows of eight letters or dots, the eighth rank first."""
    text = "/".join(rows)
    for count in range(8, 0, -1):
        text = text.replace("." * count, str(count))
    return f"{text} {turn} {castling} {passant} {clock} 1"


def chess960(seed, count):
    """Double Chess960 starts, each without some of its knights and pawns."""
    dice, fens = random.Random(seed), []
    while len(fens) < count:
        ranks = ["".join(dice.sample("rnbqkbnr", 8)) for _ in range(2)]
        if any(not row.index("r") < row.index("k") < row.rindex("r") or
               row.index("b") % 2 == row.rindex("b") % 2 for row in ranks):
            continue
        castling = "".join("abcdefgh"[i] for i in range(8) if ranks[0][i] == "r").upper()
        castling += "".join("abcdefgh"[i] for i in range(8) if ranks[1][i] == "r")
        ranks = ["".join("." if c == "n" and dice.random() < 0.3 else c for c in r) for r in ranks]
        fens.append(join_fen([ranks[1], "p" * 8] + ["." * 8] * 4 + ["P" * 8, ranks[0].upper()],
                             dice.choice("wb"), castling))
    return fens


def features_of(fen, king_buckets):
    """Rows for the side to move and for the other side, from the FEN's text."""
    board, turn = fen.split()[:2]
    pieces, square = [], 56
    for letter in board:
        if letter == "/":
            square -= 16
        elif letter.isdigit():
            square += int(letter)
        else:
            pieces.append((square, letter))
            square += 1
    sides = []
    for white in (turn == "w", turn != "w"):
        flip = 0 if white else 56
        king = next(s for s, letter in pieces if letter == ("K" if white else "k")) ^ flip
        mirror = 7 if king % 8 > 3 else 0
        king ^= mirror
        bucket = king_buckets[king // 8 * 4 + king % 8]
        sides.append([bucket * 768 + (letter.isupper() != white) * 384 +
                      "pnbrqk".index(letter.lower()) * 64 + (s ^ flip ^ mirror)
                      for s, letter in pieces])
    return sides


def evaluate(numbers, fen):
    """(score in centipawns for the side to move, largest accumulator) in the engine's integers."""
    us, them = features_of(fen, numbers["king_buckets"])
    accumulators = numpy.concatenate([numbers["bias"] + numbers["features"][rows].sum(0)
                                      for rows in (us, them)])
    bucket = (len(us) - 2) // 4
    total = int((accumulators.clip(0, QA)**2 * numbers["output"][bucket]).sum())
    value = (int(total / QA) + int(numbers["output_bias"][bucket])) * SCALE
    return int(value / (QA * QB)), int(abs(accumulators).max())


def export(network, loader, king_buckets, name, description, sample=4096):
    """Writes NAME.nnue and NAME.golden and prints how far integers and floats differ."""
    numbers = quantise(network, king_buckets)
    write(name + ".nnue", numbers, description)
    sample = min(sample, loader.validation_size)
    fens = [fen_of(loader.packed(i)) for i in range(sample)]
    with torch.no_grad():
        floats = torch.cat([network(batch) for batch in loader.validation(sample, sample)])
    scores, peaks = zip(*(evaluate(numbers, fen) for fen in fens))
    gaps = abs(floats.double().numpy() * SCALE - scores)
    clipped = [int((abs(numbers[key]) >= limit).sum())
               for key, limit in (("features", 505), ("bias", 505), ("output", 127))]
    positive, negative = (numpy.sort(sign * numbers["features"].reshape(-1, 768, len(
        numbers["bias"])), 1)[:, -32:].clip(0).sum(1).max() for sign in (1, -1))
    worst = max(abs(numbers["output"].clip(*side)).sum(1).max() for side in ((0, 127), (-127, 0)))
    print(f"{name}.nnue: {description}\n"
          f"integers against floats on {sample} positions: mean {gaps.mean():.2f}, largest "
          f"{gaps.max():.1f} centipawns; mean |score| {abs(numpy.array(scores)).mean():.0f}\n"
          f"at their limit: {clipped[0]} feature weights, {clipped[1]} biases, {clipped[2]} output "
          f"weights; never active: {dead(numbers)} hidden units\n"
          f"largest accumulator seen {max(peaks)}, bound {max(positive, negative) + 505} of 32767; "
          f"output sum at most {worst * QA**2 / 2**31:.2f} of 2^31")
    by_bucket = [[] for _ in range(BUCKETS)]
    for fen in fens:
        by_bucket[(sum(c.isalpha() for c in fen.split()[0]) - 2) // 4].append(fen)
    chosen = [fen for fens in by_bucket for fen in fens[:22]] + chess960(1, 40)
    with open(name + ".golden", "w", encoding="ascii") as file:
        file.writelines(f"{fen};{evaluate(numbers, fen)[0]}\n" for fen in chosen)


def dead(numbers):
    """Hidden units that even their 32 largest weights cannot lift above zero."""
    best = numpy.sort(numbers["features"], 0)[-32:].clip(0).sum(0)
    return int((best + numbers["bias"] <= 0).sum())
