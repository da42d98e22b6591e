#!/usr/bin/env python3
"""How near are the scores of short searches to those of a long one? JUDGE, the strongest engine at
hand, searches the positions of an EPD or FEN file once, at many nodes; each ENGINE searches them at
few. Prints for each engine the mean squared error of the expected result (errors above 0.2 count as
0.2), how much it is above that of the first engine, with 95 % error bars, and how often it finds
the judge's move.

    python3 tests/bench/accuracy.py positions.epd judged.txt stockfish build/caxton \\
        build/caxton,EvalFile=next.nnue other/caxton

It shows the gain of a network or of a change of the search with fewer nodes than games do, but only
games decide. JUDGED keeps the judge's number of nodes and a line for each position: run the same
command again and it goes on, also with more positions at the end of the file. README.md tells what
the numbers are worth."""

import argparse
import math
import os
from concurrent.futures import ThreadPoolExecutor

from self_play import fail
from uci_engine import Engine, read_positions

JUDGE_SCALE = 130  # centipawns of the judge at which the odds are e : 1
SCALES = range(50, 305, 5)  # the same of an engine: the one that fits best
WORST = 0.2
MATE = 3000


def centipawns(kind, number):
    if kind == "mate":
        return MATE if number > 0 else -MATE
    return max(-MATE, min(MATE, number))  # scores of endgame tables are far beyond


def expected(score, scale):
    return 1 / (1 + math.exp(-score / scale))


def search_all(text, fens, nodes, jobs, take):
    """take(number, move, score) for each position, from several threads."""
    command, *options = text.split(",")
    numbers = iter(range(len(fens)))

    def work(_):
        engine = Engine(command)
        for option in options:
            name, _, value = option.partition("=")
            engine.write(f"setoption name {name} value {value}")
        for number in numbers:
            engine.set_position(fens[number])
            move, kind, score = engine.search(f"nodes {nodes}")
            take(number, move, centipawns(kind, score))
        engine.close()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))


def judge_all(choice, fens):
    """What the judge says of each position, from the file as far as it goes: {FEN: (move, score)}."""
    judged = {}
    heading = f"nodes {choice.judge_nodes}\n"
    try:
        with open(choice.judged, "a+", encoding="utf-8") as file:
            file.seek(0)
            first = file.readline()
            if first and not first.startswith("nodes "):
                fail(f"{choice.judged}:1: no number of the judge's nodes")
            for number, line in enumerate(file, 2):
                try:
                    fen, move, score = line.rstrip("\n").split(";")
                    judged[fen] = move, int(score)
                except ValueError:
                    fail(f"{choice.judged}:{number}: no judgement")
            missing = [fen for fen in fens if fen not in judged]
            if missing and first not in ("", heading):
                fail(f"{choice.judged}: judged at other nodes than --judge-nodes "
                     f"{choice.judge_nodes}: {first.rstrip()}")
            if not first:
                file.write(heading)

            def take(number, move, score):
                judged[missing[number]] = move, score
                file.write(f"{missing[number]};{move};{score}\n")
                file.flush()

            if missing:
                search_all(choice.judge, missing, choice.judge_nodes, choice.jobs, take)
    except OSError as error:
        fail(f"{choice.judged}: {error.strerror}")
    return judged


def errors_of(scores, wanted):
    """Of each position, with the scale that makes their squares least."""
    def at(scale):
        return [min(abs(expected(score, scale) - want), WORST) ** 2
                for score, want in zip(scores, wanted)]
    return min((at(scale) for scale in SCALES), key=sum)


def mean_and_bar(values):
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(spread / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=10000, help="of the engines (%(default)s)")
    parser.add_argument("--judge-nodes", type=int, default=200000, help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(processors)")
    parser.add_argument("positions", help=".epd")
    parser.add_argument("judged", metavar="JUDGED", help="made, or added to")
    parser.add_argument("judge", metavar="JUDGE")
    parser.add_argument("engines", metavar="ENGINE[,OPTION=VALUE...]", nargs="+")
    choice = parser.parse_args()
    fens = list(dict.fromkeys(fen for fen, _ in read_positions(choice.positions)))
    if not fens:
        fail(f"{choice.positions}: no position")
    judged = judge_all(choice, fens)
    wanted = [expected(judged[fen][1], JUDGE_SCALE) for fen in fens]
    first = None
    for text in choice.engines:
        found = {}
        search_all(text, fens, choice.nodes, choice.jobs,
                   lambda number, move, score, found=found: found.update({number: (move, score)}))
        errors = errors_of([found[i][1] for i in range(len(fens))], wanted)
        same = sum(found[i][0] == judged[fen][0] for i, fen in enumerate(fens)) / len(fens)
        line = f"{text}: error {sum(errors) / len(errors):.5f}"
        if first:
            line += " ({:+.5f} +- {:.5f})".format(
                *mean_and_bar([a - b for a, b in zip(errors, first)]))
        print(f"{line}, the judge's move {same:.1%}", flush=True)
        first = first or errors


if __name__ == "__main__":
    main()
