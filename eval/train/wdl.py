#!/usr/bin/env python3
"""Fits what a centipawn is worth to games: PGN with scores as comments, {+0.35/12 0.5s}, as match
programs write them. Prints the score at which half of the games are won, which should be 100, and
the width of the logistic curve of wins: win = 1 / (1 + exp((half - score) / width))."""
import math
import re
import sys

WORD = re.compile(r"\{[^}]*\}|[^\s{}]+")
MOVE = re.compile(r"[a-hKQRBNO][a-hx1-8KQRBNO=+#-]+$")
SCORE = re.compile(r"\{\s*([+-]?\d+\.\d+)/\d+")
SCORE_MAX = 600  # centipawns; beyond, games are over
PLIES_FIRST, PLIES_LAST = 10, 200


def games(lines):
    """(result for White or None, is White to move first?, moves with comments) of every game."""
    result, white, text = None, True, []
    for line in lines:
        if line.startswith("[") and text:
            yield result, white, " ".join(text)
            result, white, text = None, True, []
        if line.startswith('[Result "'):
            result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(line.split('"')[1])
        elif line.startswith('[FEN "'):
            white = line.split()[2] == "w"
        elif not line.startswith("[") and line.strip():
            text.append(line.strip())
    yield result, white, " ".join(text)


def samples(lines):
    """(centipawns, won, lost) of every scored move, its player's view."""
    for result, white, text in games(lines):
        ply = 0
        for word in WORD.findall(text):
            score = SCORE.match(word)
            if score and result is not None and PLIES_FIRST < ply <= PLIES_LAST:
                score = round(100 * float(score[1]))
                mine = result if white == (ply % 2 == 1) else -result
                if abs(score) <= SCORE_MAX:
                    yield score, mine > 0, mine < 0
            ply += MOVE.match(word.lstrip("0123456789.")) is not None


def fit(points):
    """Newton's method on the likelihood of win = logistic(slope * score - shift); `points`: score ->
    [moves, wins]. A loss is the opponent's win, so both sides' curves are one."""
    slope, shift = 0.01, 1.0
    for _ in range(50):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for score, (count, wins) in points.items():
            chance = 1 / (1 + math.exp(shift - slope * score))
            error, weight = count * chance - wins, count * chance * (1 - chance)
            g0, g1 = g0 + error * score, g1 - error
            h00, h01, h11 = h00 + weight * score * score, h01 - weight * score, h11 + weight
        determinant = h00 * h11 - h01 * h01
        slope -= (h11 * g0 - h01 * g1) / determinant
        shift -= (h00 * g1 - h01 * g0) / determinant
    return shift / slope, 1 / slope


def main():
    points = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for score, won, lost in samples(file):
                for side, success in ((score, won), (-score, lost)):
                    point = points.setdefault(side, [0, 0])
                    point[0] += 1
                    point[1] += success
    if len(points) < 3:
        sys.exit("usage: wdl.py GAMES.pgn...: too few scored moves found")
    half, width = fit(points)
    moves = sum(count for count, _ in points.values()) // 2
    print(f"{moves} moves: half of the games are won at {half:.1f} centipawns, width {width:.1f}")
    for low in range(-SCORE_MAX, SCORE_MAX, 100):
        inside = [p for score, p in points.items() if low <= score < low + 100]
        if inside:
            count, wins = (sum(column) for column in zip(*inside))
            print(f"{low:5} to {low + 99:4}: {wins / count:6.1%} of {count}, "
                  f"curve {1 / (1 + math.exp((half - low - 50) / width)):6.1%}")


if __name__ == "__main__":
    main()
