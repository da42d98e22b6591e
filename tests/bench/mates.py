#!/usr/bin/env python3
"""Does `go mate N` find the mates that are there, and claim none elsewhere? ORACLE, another engine,
looks for mates in the positions of an EPD or FEN file, the last ones of games that ended by mate
among them. Where it finds one in 2 to 5 moves, ENGINE must find one as short; where it sees an even
position, ENGINE must not claim a mate in 3. Prints each failure; exits 1 when there is one."""

import argparse
import random

from uci_engine import Engine, read_positions

EVEN = 100  # centipawns


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
    tried, failed = {}, 0
    for fen in fens:
        oracle.set_position(fen)
        _, kind, number = oracle.search(f"depth {choice.depth}")
        is_mate = kind == "mate" and 2 <= number <= 5
        what = f"mate in {number}" if is_mate else "even"
        mates = sum(count for name, count in tried.items() if name != "even")
        if (not is_mate and (kind == "mate" or abs(number) > EVEN)) or \
                (mates if is_mate else tried.get("even", 0)) >= choice.count:
            continue
        engine.set_position(fen)
        _, kind, found = engine.search(f"mate {number if is_mate else 3}")
        claimed = kind == "mate" and found > 0
        tried[what] = tried.get(what, 0) + 1
        if claimed != is_mate or (is_mate and found > number):
            failed += 1
            print(f"{fen}: {what}, but {kind} {found}")
        if min(mates + is_mate, tried.get("even", 0)) >= choice.count:
            break
    print(", ".join(f"{name}: {count}" for name, count in sorted(tried.items())),
          f"({failed} failed)")
    oracle.close()
    engine.close()
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
