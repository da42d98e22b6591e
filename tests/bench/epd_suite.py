#!/usr/bin/env python3
"""How many positions of an EPD file each engine solves, with the same time or nodes: its move is
among `bm`, or not among `am`. Where a line has points of its moves, as the Strategic Test Suite has
them (c8: points, c9: moves), they are added up, too."""

import argparse
import re

from self_play import fail, show_progress
from uci_engine import Engine, read_positions

CASTLING = {"O-O": "g", "O-O-O": "c"}
SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([QRBN]?)$")


def board_of(fen):
    """What stands on each square that is not empty."""
    board = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        squares = re.sub(r"\d", lambda digit: " " * int(digit[0]), row)
        board.update({file + rank: piece for file, piece in zip("abcdefgh", squares)
                      if piece != " "})
    return board


def moves_of(san, board, legal):
    """The legal moves that `san` may mean: one, if it is a move."""
    text = san.rstrip("+#!?")
    if text in CASTLING:
        return [move for move in legal
                if board[move[:2]] in "Kk" and move[0] == "e" and move[2] == CASTLING[text]]
    found = SAN.match(text)
    if not found:
        return []
    piece, file, rank, target, promotion = found.groups()
    return [move for move in legal
            if move[2:4] == target and board[move[:2]].upper() == (piece or "P")
            and move[0].startswith(file) and move[1].startswith(rank)
            and move[4:] == promotion.lower()]


def read_suite(name, engine):
    """Of each position: FEN, right moves, wrong moves, points by move."""
    suite = []
    for fen, operations in read_positions(name):
        fields = dict(part.strip().partition(" ")[::2] for part in operations.split(";"))
        engine.set_position(fen)
        board, legal = board_of(fen), engine.legal_moves()
        right, wrong = set(), set()
        for operation, moves in (("bm", right), ("am", wrong)):
            for san in fields.get(operation, "").split():
                meant = moves_of(san, board, legal)
                if len(meant) != 1:
                    fail(f"{name}: {fen}: {operation} {san} is no move")
                moves.update(meant)
        points = dict(zip(fields.get("c9", "").strip('"').split(),
                          map(int, fields.get("c8", "").strip('"').split())))
        if not right and not wrong:
            fail(f"{name}: {fen}: neither bm nor am")
        suite.append((fen, right, wrong, points))
    return suite


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--movetime", type=int, metavar="MS")
    limit.add_argument("--nodes", type=int)
    parser.add_argument("suite", help=".epd")
    parser.add_argument("engines", nargs="+", metavar="ENGINE")
    choice = parser.parse_args()
    limits = f"movetime {choice.movetime}" if choice.movetime else f"nodes {choice.nodes}"
    engines = [Engine(command) for command in choice.engines]
    suite = read_suite(choice.suite, engines[0])
    for engine in engines:
        solved = score = 0
        for done, (fen, right, wrong, points) in enumerate(suite, 1):
            engine.set_position(fen)
            move = engine.search(limits)[0]
            solved += move in right if right else move not in wrong
            score += points.get(move, 0)
            show_progress(done, len(suite), "positions")
        most = sum(max(points.values(), default=0) for _, _, _, points in suite)
        print(f"{engine.command}: {solved} of {len(suite)}" +
              (f", {score} of {most} points" if most else ""), flush=True)
        engine.close()


if __name__ == "__main__":
    main()
