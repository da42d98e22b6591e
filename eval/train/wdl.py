#!/usr/bin/env python3
"""Fits the chances to win and to lose to games: logit(win) = slope(m) * score - shift(m), both
quadratic in the material m (pawn 1, knight and bishop 3, rook 5, queen 9, both sides together); a
loss is the opponent's win. The better both sides play, the surer is the result: slope and shift
grow with a power of the nodes of a move (the median of a file), and what is printed is for
NODES_WANTED of them, so games at few nodes count, too.

Reads PGN of games of the engine with itself, moves in UCI notation, scores and nodes as comments,
as `wdl.sh` makes them. The engine must have the EVAL_HALF of this tree: scores are scaled by it.
Prints the numbers for book/uci/wdl.c, a table of observed against predicted chances, and the score
from which half of all games are won, for EVAL_HALF."""
import math
import re
import statistics
import sys
from pathlib import Path

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
WORD = re.compile(r"\{[^}]*\}|[^\s{}]+")
MOVE = re.compile(r"([a-h])([1-8])([a-h])([1-8])([nbrq]?)$")
SCORE = re.compile(r"\{\s*([+-]?\d+\.\d+)/\d+")
SCORE_MAX = 400  # units of the search; beyond, games are nearly over
SCORE_STEP = 20
NODES = re.compile(r"n=(\d+)")
PLIES_LAST = 240
NODES_WANTED = 32768  # a move: about 40 moves in 1 s with a processor for each game
MIDDLE, LEAST, MOST = 40, 10, 78  # material: the origin of the polynomials; the range of the fit
HALF_MATERIAL = 58  # where EVAL_HALF is taken
DEGREE = 2  # of slope and shift in the material
POWERS = [i / 20 for i in range(11)]  # of the nodes: the likeliest is taken
SCALE = 1 << 24  # of the numbers in book/uci/wdl.c


class Board:
    """Where pieces stand, as far as material needs it."""

    def __init__(self, fen):
        self.squares = {}
        for rank, row in zip("87654321", fen.split()[0].split("/")):
            file = 0
            for char in row:
                if char.isdigit():
                    file += int(char)
                else:
                    self.squares["abcdefgh"[file] + rank] = char
                    file += 1
        self.material = sum(VALUES[piece.lower()] for piece in self.squares.values())

    def take(self, square):
        piece = self.squares.pop(square, None)
        if piece:
            self.material -= VALUES[piece.lower()]
        return piece

    def play(self, move):
        file_from, rank_from, file_to, rank_to, promoted = move.groups()
        piece = self.squares.pop(file_from + rank_from)
        if not self.take(file_to + rank_to) and piece in "Pp" and file_from != file_to:
            self.take(file_to + rank_from)  # en passant
        if promoted:
            self.material += VALUES[promoted] - 1
            piece = promoted.upper() if piece == "P" else promoted
        self.squares[file_to + rank_to] = piece
        if piece in "Kk" and file_from + file_to in ("eg", "ec"):
            rook_from, rook_to = ("h", "f") if file_to == "g" else ("a", "d")
            self.squares[rook_to + rank_to] = self.squares.pop(rook_from + rank_to)


def games(lines):
    """(result for White, FEN, moves and comments) of every game that has a result."""
    result, fen, text = None, START, []
    for line in lines:
        if line.startswith("[") and text:
            if result is not None:
                yield result, fen, " ".join(text)
            result, fen, text = None, START, []
        if line.startswith('[Result "'):
            result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(line.split('"')[1])
        elif line.startswith('[FEN "'):
            fen = line.split('"')[1]
        elif not line.startswith("[") and line.strip():
            text.append(line.strip())
    if result is not None:
        yield result, fen, " ".join(text)


def nodes_of(path):
    """The median of the nodes of a move in this file. Not of each game: the longer one at a clock,
    the fewer nodes its moves have, and the more likely it is drawn."""
    with open(path, encoding="utf-8") as file:
        nodes = [int(count) for count in NODES.findall(file.read())]
    if not nodes:
        sys.exit(f"wdl.py: {path}: the comments of the moves have no nodes (n=)")
    return statistics.median(nodes)


def samples(result, fen, text, unit):
    """(score, material, won, lost) of every scored move of a game, its player's view."""
    board, mine, ply, scored = Board(fen), result, 0, None
    if fen.split()[1] == "b":
        mine = -mine
    for word in WORD.findall(text):
        move, score = MOVE.match(word), SCORE.match(word)
        if move:
            scored = board.material
            board.play(move)
            mine, ply = -mine, ply + 1
        elif score and scored is not None and ply <= PLIES_LAST:
            units = round(float(score[1]) * unit)
            if abs(units) <= SCORE_MAX:
                bin_score = units // SCORE_STEP * SCORE_STEP + SCORE_STEP // 2
                bin_material = min(max(scored, LEAST), MOST) // 2 * 2
                yield bin_score, bin_material, mine < 0, mine > 0


def features(score, material, sharpness=1.0):
    m = (material - MIDDLE) / MIDDLE
    terms = [sharpness * m**i for i in range(DEGREE + 1)]
    return tuple(score / 100 * term for term in terms) + tuple(-term for term in terms)


def solve(matrix, vector):
    """Gauss, in place."""
    size = len(vector)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(matrix[row][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        vector[i], vector[pivot] = vector[pivot], vector[i]
        for row in range(i + 1, size):
            factor = matrix[row][i] / matrix[i][i]
            vector[row] -= factor * vector[i]
            for column in range(i, size):
                matrix[row][column] -= factor * matrix[i][column]
    for i in reversed(range(size)):
        rest = sum(matrix[i][j] * vector[j] for j in range(i + 1, size))
        vector[i] = (vector[i] - rest) / matrix[i][i]
    return vector


def chance(weights, x):
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, sum(w * f for w, f in zip(weights, x))))))


def likelihood(points, weights):
    total = 0.0
    for x, count, wins in points:
        p = min(max(chance(weights, x), 1e-12), 1 - 1e-12)
        total += wins * math.log(p) + (count - wins) * math.log(1 - p)
    return total


def step(points, weights):
    """Newton's."""
    size = len(weights)
    gradient = [0.0] * size
    hessian = [[1e-6 * (i == j) for j in range(size)] for i in range(size)]
    for x, count, wins in points:
        p = chance(weights, x)
        error, weight = wins - count * p, count * p * (1 - p)
        for i in range(size):
            gradient[i] += error * x[i]
            for j in range(size):
                hessian[i][j] += weight * x[i] * x[j]
    return solve(hessian, gradient)


def fit(points, weights):
    """The likeliest weights, by Newton's method; a step that makes it worse is halved."""
    best = likelihood(points, weights)
    for _ in range(25):
        change = step(points, weights)
        for _ in range(20):
            moved = [w + c for w, c in zip(weights, change)]
            found = likelihood(points, moved)
            if found >= best:
                break
            change = [c / 2 for c in change]
        if found - best < 1e-6 * abs(best):
            break
        weights, best = moved, found
    return weights


def fit_power(bins):
    """The likeliest power of the nodes, and the weights with it."""
    best = None
    for power in POWERS:
        points = []
        for (score, material, nodes), (count, wins, losses) in bins.items():
            where = material, (nodes / NODES_WANTED) ** power
            points.append((features(score, *where), count, wins))
            points.append((features(-score, *where), count, losses))
        flat = [2.0] + [0.0] * DEGREE
        weights = fit(points, flat + flat)
        found = likelihood(points, weights)
        if not best or found > best[0]:
            best = found, power, weights
    return best[1:]


def print_numbers(weights):
    """As the rows of book/uci/wdl.c: units of 2^-24 for each step of score and material."""
    parts = (("slope", weights[:DEGREE + 1], SCALE / 100), ("shift", weights[DEGREE + 1:], SCALE))
    for name, part, scale in parts:
        numbers = ", ".join(str(round(w * scale / MIDDLE**i)) for i, w in enumerate(part))
        print(f"    static const int64_t {name}[] = {{{numbers}}};")


def print_table(bins, power, weights):
    print("| material | score | moves | won | predicted | lost | predicted |")
    print("|---|---|---|---|---|---|---|")
    rows = {}
    for (score, material, nodes), (count, wins, losses) in bins.items():
        sharpness = (nodes / NODES_WANTED) ** power
        band = next(low for low in (61, 46, 31, 16, 0) if material >= low)
        row = rows.setdefault((-band, score // 100), [0] * 5)
        won, lost = (chance(weights, features(s, material, sharpness)) for s in (score, -score))
        for i, amount in enumerate((count, wins, losses, count * won, count * lost)):
            row[i] += amount
    for (band, hundred), (count, wins, losses, won, lost) in sorted(rows.items()):
        if -4 <= hundred <= 3:
            upper = {61: 78, 46: 60, 31: 45, 16: 30, 0: 15}[-band]
            shares = " | ".join(f"{100 * n / count:.0f} %" for n in (wins, won, losses, lost))
            print(f"| {-band} to {upper} | {100 * hundred} to {100 * hundred + 99} | {count} | "
                  f"{shares} |")


def main():
    header = (Path(__file__).resolve().parents[1] / "eval.h").read_text(encoding="utf-8")
    unit = int(re.search(r"EVAL_HALF = (\d+)", header)[1])
    bins, played = {}, {}
    for path in sys.argv[1:]:
        nodes = nodes_of(path)
        played.setdefault(nodes, 0)
        with open(path, encoding="utf-8") as file:
            for game in games(file):
                played[nodes] += 1
                for score, material, won, lost in samples(*game, unit):
                    entry = bins.setdefault((score, material, nodes), [0, 0, 0])
                    for i, amount in enumerate((1, won, lost)):
                        entry[i] += amount
    if len(bins) < 100:
        sys.exit("usage: wdl.py GAMES.pgn...: too few scored moves found")
    power, weights = fit_power(bins)
    moves = sum(entry[0] for entry in bins.values())
    print(f"{sum(played.values())} games, {moves} moves; median nodes of a move:",
          ", ".join(f"{nodes:.0f} in {played[nodes]}" for nodes in sorted(played)))
    print(f"slope and shift grow with the nodes to the power of {power}")
    for material in (MOST, HALF_MATERIAL, MIDDLE, 20):
        products = [weight * term for weight, term in zip(weights, features(100, material))]
        slope, shift = sum(products[:DEGREE + 1]), -sum(products[DEGREE + 1:])
        print(f"material {material}: half of the games are won from {100 * shift / slope:.1f} "
              "units of the search")
    print_numbers(weights)
    print_table(bins, power, weights)


if __name__ == "__main__":
    main()
