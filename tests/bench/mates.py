#!/usr/bin/env python3
"""Does `go mate N` find the mates that are there, and claim none elsewhere? ORACLE, another engine,
looks for mates in the positions of an EPD or FEN file, the last ones of games that ended by mate
among them. Where it finds one in 2 to 5 moves, ENGINE must find one as short; where it sees an even
position, ENGINE must not claim a mate in 3. Prints each failure; exits 1 when there is one."""

import argparse
import collections
import random

from self_play import show_progress
from uci_engine import Engine, read_positions

EVEN = 100  # centipawns


def known_mate(oracle, fen, depth):
    """The moves to the mate, 2 to 5; 0: the position is even; None: neither."""
    oracle.set_position(fen)
    _, kind, number = oracle.search(f"depth {depth}")
    if kind == "mate":
        return number if 2 <= number <= 5 else None
    return 0 if abs(number) <= EVEN else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="of each kind (200)")
    parser.add_argument("--depth", type=int, default=16, help="of the oracle (16)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of positions (1)")
    parser.add_argument("oracle", metavar="ORACLE")
    parser.add_argument("engine", metavar="ENGINE")
    parser.add_argument("positions", help=".epd")
    choice = parser.parse_args()
    fens = sorted({fen for fen, _ in read_positions(choice.positions)})
    random.Random(choice.seed).shuffle(fens)
    oracle, engine = Engine(choice.oracle), Engine(choice.engine)
    tried, failed = collections.Counter(), 0
    for fen in fens:
        mates = tried.total() - tried[0]
        if min(mates, tried[0]) >= choice.count:
            break
        mate = known_mate(oracle, fen, choice.depth)
        if mate is None or (mates if mate else tried[0]) >= choice.count:
            continue
        tried[mate] += 1
        show_progress(tried.total(), 2 * choice.count, "positions")
        engine.set_position(fen)
        _, kind, found = engine.search(f"mate {mate or 3}")
        is_found = kind == "mate" and found > 0
        if is_found != bool(mate) or (mate and found > mate):
            failed += 1
            print(f"{fen}: {kind} {found}, not {f'mate in {mate}' if mate else 'even'}")
    print(", ".join(f"mate in {mate}: {count}" if mate else f"even: {count}"
                    for mate, count in sorted(tried.items())), f"({failed} failed)")
    oracle.close()
    engine.close()
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
