"""The network file (eval/network.c has its layout), its integer arithmetic once more in numpy, and
vectors that the engine's own code must reproduce. Independent of loader.c and layer.c on purpose."""
import random
import struct

import numpy
import torch
from library import BUCKETS, FIRST, PAIRS
from model import PAIR_SHIFT, QA, QB, QC, SECOND, SQUARE_SHIFT, SUM_ONE, as_rounded
from relations import RELATIONS, relations_of

SCALE = 400
LETTERS = "PpNnBbRrQqKkRr"
HIGH_MAX = 31                   # largest high part of a packed weight
ONE = int(SUM_ONE)              # values of the first and second layer are clamped to it
OUTPUT_ONE = int(SUM_ONE * QC)  # 1.0 of the third layer's sum
# Of each output bucket, in the order of the file.
LAYERS = (("first", "<i1", (FIRST, -1)), ("first_bias", "<i4", (FIRST,)),
          ("second", "<i2", (SECOND, 2 * FIRST)), ("second_bias", "<i4", (SECOND,)),
          ("third", "<i2", (SECOND,)), ("third_bias", "<i4", ()))


def fnv(data):
    """FNV-1a, 64 bits."""
    total = 14695981039346656037
    for byte in data:
        total = (total ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return total


def rows_of(tiles):
    """Of tensors in tiles of the hidden layer, [tiles][...][2 * PAIRS], rows of all its units: the
    first of each pair, then the second."""
    return tiles.unflatten(-1, (2, PAIRS)).movedim(0, -2).flatten(-3)


def tiles_of(rows):
    """The opposite of rows_of()."""
    return rows.unflatten(-1, (2, -1, PAIRS)).movedim(-2, 0).flatten(-2).contiguous()


def quantise(network, king_buckets):
    """The integers of the file, features as rows of all hidden units."""
    def rounded(tensor, scale, limit):
        return numpy.rint(numpy.clip(tensor.detach().cpu().double().numpy() * scale,
                                     -limit, limit)).astype(numpy.int64)
    features, bias, first = network.weights()
    first_bias, second, second_bias, third, third_bias = network.head()
    numbers = {} if network.relations is None else {
        "relations": rounded(rows_of(as_rounded(network.relations, QA)), QA, 127)}
    return {
        **numbers,
        "features": rounded(rows_of(features), QA, 127),
        "bias": rounded(rows_of(bias), QA, 32767),
        "first": rounded(first.permute(1, 4, 2, 0, 3).flatten(2), QB, 127),
        "first_bias": rounded(first_bias, SUM_ONE, 2**29),
        "second": rounded(second.transpose(1, 2), QC, 4095),
        "second_bias": rounded(second_bias, SUM_ONE * QC, 2**29),
        "third": rounded(third, QC, 4095),
        "third_bias": rounded(third_bias, SUM_ONE * QC, 2**29),
        "king_buckets": king_buckets}


def changes(features, inputs):
    """Weights of each king bucket less those of the one before, [inputs * buckets][hidden]."""
    return numpy.diff(features.reshape(-1, inputs, features.shape[1]), axis=0, prepend=0).reshape(
        features.shape)


def pack(features, inputs=768):
    """Weights in Rice codes; see eval/network_packed.h."""
    rows = changes(features, inputs)
    rows = numpy.where(rows < 0, -2 * rows - 1, 2 * rows)
    sizes = numpy.stack([(rows >> low).sum(1) + rows.shape[1] * (low + 1) for low in range(15)])
    low = sizes.argmin(0)
    while ((rows >> low[:, None]).max(1) > HIGH_MAX).any():
        low += (rows >> low[:, None]).max(1) > HIGH_MAX
    ends = numpy.cumsum((rows >> low[:, None]).reshape(-1) + 1)
    high = numpy.zeros(ends[-1], numpy.uint8)
    high[ends - 1] = 1
    low_bits = [(row[:, None] >> numpy.arange(bits) & 1).astype(numpy.uint8).reshape(-1)
                for row, bits in zip(rows, low)]
    high, low_bits = (numpy.packbits(bits, bitorder="little").tobytes()
                      for bits in (high, numpy.concatenate(low_bits)))
    return low.astype(numpy.uint8).tobytes() + struct.pack("<I", len(high)) + high + low_bits


def unpack(packed, rows, hidden, inputs=768):
    """Weights of pack()."""
    low = numpy.frombuffer(packed, numpy.uint8, rows).astype(numpy.int64)
    size, = struct.unpack_from("<I", packed, rows)
    high, low_bits = (numpy.unpackbits(numpy.frombuffer(part, numpy.uint8), bitorder="little")
                      for part in (packed[rows + 4:rows + 4 + size], packed[rows + 4 + size:]))
    high = numpy.diff(numpy.flatnonzero(high), prepend=-1) - 1
    if len(high) != rows * hidden or (len(low_bits) + 7) // 8 != ((low * hidden).sum() + 7) // 8:
        raise ValueError("the packed weights do not fit the file")
    values, at = high.reshape(rows, hidden) << low[:, None], 0
    for row, bits in zip(values, low):
        part = low_bits[at:at + bits * hidden].reshape(hidden, bits)
        row += part.astype(numpy.int64) @ (1 << numpy.arange(bits))
        at += bits * hidden
    values = numpy.where(values & 1, -(values >> 1) - 1, values >> 1)
    return values.reshape(-1, inputs, hidden).cumsum(0).reshape(-1, hidden)


def write(path, numbers, description):
    """The network file."""
    body = bytes(numbers["king_buckets"]) + description.encode("ascii")[:127].ljust(128, b"\0")
    features = pack(numbers["features"])
    if "relations" in numbers:
        body += struct.pack("<2I56x", numbers["relations"].shape[1], len(features))
    body += features
    if "relations" in numbers:
        body += pack(numbers["relations"], RELATIONS)
    body += numbers["bias"].astype("<i2").tobytes()
    for bucket in range(BUCKETS):
        for name, kind, _ in LAYERS:
            body += numbers[name][bucket].astype(kind).tobytes()
    with open(path, "wb") as file:
        file.write(b"CXTNNET1" + struct.pack("<4IQ", 8 if "relations" in numbers else 6, len(numbers["bias"]), len(
            numbers["features"]) // 768, BUCKETS, fnv(body)) + body)


def weights_of(packed, data, rows, hidden, inputs):
    """The weights of a section of a file."""
    if packed:
        return unpack(data, rows, hidden, inputs)
    return numpy.frombuffer(data, "i1").astype(numpy.int64).reshape(rows, hidden)


def read(path):
    """The integers of a network file, as quantise() gives them."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, hidden, buckets, outputs, total = struct.unpack_from("<8s4IQ", data)
    if magic != b"CXTNNET1" or version not in (5, 6, 7, 8) or outputs != BUCKETS:
        raise ValueError("no network of Caxton's")
    if fnv(data[32:]) != total:
        raise ValueError("the checksum does not match")
    rows = buckets * 768
    layers = numpy.dtype([(name, kind, tuple(hidden if size < 0 else size for size in shape))
                          for name, kind, shape in LAYERS])
    end = len(data) - BUCKETS * layers.itemsize
    body, more = data[192:end - 2 * hidden], {}
    if version > 6:
        related, size = struct.unpack_from("<2I", body)
        body, rest = body[64:64 + size], body[64 + size:]
        more["relations"] = weights_of(version == 8, rest, RELATIONS, related, RELATIONS)
    features = weights_of(version in (6, 8), body, rows, hidden, 768)
    found = numpy.frombuffer(data[end:], layers)
    return {
        **more,
        "features": features,
        "bias": numpy.frombuffer(data[end - 2 * hidden:end], "<i2").astype(numpy.int64),
        **{name: found[name].astype(numpy.int64) for name, _, _ in LAYERS},
        "king_buckets": list(data[32:64])}


def state_of(numbers, king_buckets):
    """A network's state of the integers, with the buckets that `king_buckets` wants: a set of
    weights is taken for each bucket that has the king on squares of one set only."""
    source = {}
    for new, old in zip(king_buckets, numbers["king_buckets"]):
        if source.setdefault(new, old) != old:
            raise ValueError(f"its king buckets {sorted({source[new], old})} would be joined")
    hidden = len(numbers["bias"])
    features = numbers["features"].reshape(-1, 768, hidden)[[source[b] for b in sorted(source)]]
    if hidden % (2 * PAIRS):
        raise ValueError(f"{hidden} hidden values are no multiple of {2 * PAIRS}")

    def floats(array, scale):
        return torch.from_numpy(array.astype(numpy.float32) / scale)
    more = {"relations": tiles_of(floats(numbers["relations"], QA))} if "relations" in numbers else {}
    return {
        **more,
        "features": tiles_of(floats(features.reshape(-1, hidden), QA)),
        "bias": tiles_of(floats(numbers["bias"], QA)),
        "first": floats(numbers["first"], QB).unflatten(2, (2, -1, PAIRS)).permute(
            3, 0, 2, 4, 1).contiguous(),
        "first_bias": floats(numbers["first_bias"], SUM_ONE),
        "second": floats(numbers["second"], QC).transpose(1, 2).contiguous(),
        "second_bias": floats(numbers["second_bias"], SUM_ONE * QC),
        "third": floats(numbers["third"], QC),
        "third_bias": floats(numbers["third_bias"], SUM_ONE * QC)}


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


def seen_pieces(fen):
    """For the side to move and for the other side: (square, type, is the other's?) of the pieces, as
    the side sees them, and its king's square; from the FEN's text."""
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
    for white in (turn == "w", turn != "w"):
        flip = 0 if white else 56
        king = next(s for s, letter in pieces if letter == ("K" if white else "k")) ^ flip
        mirror = 7 if king % 8 > 3 else 0
        yield [(s ^ flip ^ mirror, "pnbrqk".index(letter.lower()), letter.isupper() != white)
               for s, letter in pieces], king ^ mirror


def accumulate(numbers, fen):
    """The accumulators of the side to move and of the other one, and the products of their pairs:
    two rows each."""
    sides = []
    for pieces, king in seen_pieces(fen):
        bucket = numbers["king_buckets"][king // 8 * 4 + king % 8]
        sum_of = numbers["bias"] + numbers["features"][[
            bucket * 768 + enemy * 384 + kind * 64 + square
            for square, kind, enemy in pieces]].sum(0)
        if "relations" in numbers:
            rows = numbers["relations"][relations_of(pieces)].sum(0)
            half, part = len(sum_of) // 2, len(rows) // 2
            sum_of[half - part:half] += rows[:part]
            sum_of[-part:] += rows[part:]
        sides.append(sum_of)
    sides = numpy.stack(sides)
    return sides, sides.clip(0, QA).reshape(2, 2, -1).prod(1) >> PAIR_SHIFT


def by_use(numbers, fens):
    """The same network with its pairs sorted by how often their product is not zero in these
    positions, those that see relations behind the others. Then more groups of four are all zero,
    which the engine skips."""
    often = sum((accumulate(numbers, fen)[1] > 0).sum(0) for fen in fens)
    part = numbers["relations"].shape[1] // 2 if "relations" in numbers else 0
    plain = len(often) - part
    order = numpy.concatenate((numpy.argsort(-often[:plain], kind="stable"),
                               plain + numpy.argsort(-often[plain:], kind="stable")))
    both = numpy.concatenate((order, order + len(order)))
    sorted_numbers = {**numbers, "features": numbers["features"][:, both],
                      "bias": numbers["bias"][both], "first": numbers["first"][:, :, both]}
    if part:
        both = numpy.concatenate((order[plain:] - plain, order[plain:] - plain + part))
        sorted_numbers["relations"] = numbers["relations"][:, both]
    return sorted_numbers


def evaluate(numbers, fen):
    """(score in centipawns for the side to move, largest accumulator, share of the products, and of
    their groups of four, that are not zero) in the engine's integers."""
    sides, pairs = accumulate(numbers, fen)
    pairs = pairs.reshape(-1)
    first, first_bias, second, second_bias, third, third_bias = (
        numbers[name][(sum(c.isalpha() for c in fen.split()[0]) - 2) // 4]
        for name, _, _ in LAYERS)
    value = (first @ pairs + first_bias).clip(-ONE, ONE)
    value = second @ numpy.concatenate((value.clip(0), value**2 >> SQUARE_SHIFT)) + second_bias
    total = int(third @ (value // QC).clip(0, ONE) + third_bias)
    shares = (pairs > 0).mean(), pairs.reshape(-1, 4).any(1).mean()
    return int(total * SCALE / OUTPUT_ONE), int(abs(sides).max()), shares


def export(network, loader, king_buckets, name, description, sample=4096):
    """Writes NAME.nnue and NAME.golden and prints how far integers and floats differ."""
    sample = min(sample, loader.validation_size)
    fens = [fen_of(loader.packed(i)) for i in range(sample)]
    numbers = by_use(quantise(network, king_buckets), fens)
    write(name + ".nnue", numbers, description)
    with torch.no_grad():
        floats = torch.cat([network(batch) for batch in loader.validation(sample, sample)])
    scores, peaks, active = zip(*(evaluate(numbers, fen) for fen in fens))
    active = numpy.mean(active, 0)
    gaps = abs(floats.double().numpy() * SCALE - scores)
    limits = {"features": 127, "bias": 127, "first": 127, "second": 4095, "third": 4095}
    clipped = ", ".join(f"{int((abs(numbers[key]) >= limit).sum())} of {key}"
                        for key, limit in limits.items())
    positive, negative = (numpy.sort(sign * numbers["features"].reshape(-1, 768, len(
        numbers["bias"])), 1)[:, -32:].clip(0).sum(1).max() for sign in (1, -1))
    print(f"{name}.nnue: {description}\n"
          f"integers against floats on {sample} positions: mean {gaps.mean():.2f}, largest "
          f"{gaps.max():.1f} centipawns; mean |score| {abs(numpy.array(scores)).mean():.0f}\n"
          f"at their limit: {clipped}; never active: {dead(numbers)} hidden units; "
          f"{100 * active[0]:.1f} % of the products and {100 * active[1]:.1f} % of their groups of "
          f"four are not zero\n"
          f"largest accumulator seen {max(peaks)}, bound {max(positive, negative) + 127} of 32767")
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
