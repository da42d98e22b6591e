"""Compares the engine's reader of endgame tablebases with that of python-chess.

    python3 tests/clients/tables.py TABLES_OF_FENS FOLDER [COUNT [SEED]]

FOLDER has tables of three and four men. COUNT random positions (2,000), of all tables alike; of
KPvKP one in four can capture en passant; some have castling rights, where neither may answer.
Exits 0 when all are equal, 1 with a line for each difference, 77 when python-chess or the tables
are not here (they are wanted with CAXTON_REQUIRE_TABLES=1)."""

import os
import random
import subprocess
import sys

BATCH = 20000
SHOWN_MAX = 20


def missing(what):
    print("skipped:", what)
    sys.exit(1 if os.environ.get("CAXTON_REQUIRE_TABLES") else 77)


try:
    import chess
    import chess.syzygy
except ImportError:
    missing("python-chess is not installed")


def place(board, rng, side, letters, squares):
    for letter in letters:
        square = rng.choice(squares)
        if letter == "P":
            square = rng.choice([s for s in squares if 8 <= s < 56])
        squares.remove(square)
        board.set_piece_at(square, chess.Piece.from_symbol(letter.upper() if side else letter.lower()))


def with_en_passant(rng):
    """King and pawn each, where a double step can be answered en passant."""
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    mover = not board.turn
    file = rng.randrange(8)
    beside = rng.choice([f for f in (file - 1, file + 1) if 0 <= f < 8])
    rank, step, home = (3, 2, 1) if mover == chess.WHITE else (4, 5, 6)
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, mover))
    board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, board.turn))
    board.ep_square = chess.square(file, step)
    empty = [chess.square(file, step), chess.square(file, home)]
    squares = [s for s in chess.SQUARES if not board.piece_at(s) and s not in empty]
    place(board, rng, True, "K", squares)
    place(board, rng, False, "K", squares)
    return board


def with_castling(rng):
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    place(board, rng, rng.random() < 0.5, rng.choice("QRBN"),
          [s for s in chess.SQUARES if not board.piece_at(s) and s not in (5, 6)])
    return board


def random_board(rng, names):
    name = rng.choice(names)
    if rng.random() < 0.001:
        return with_castling(rng)
    if name == "KPvKP" and rng.random() < 0.25:
        return with_en_passant(rng)
    sides = name.split("v")
    if rng.random() < 0.5:
        sides.reverse()
    board = chess.Board(None)
    squares = list(chess.SQUARES)
    for side, letters in zip((chess.WHITE, chess.BLACK), sides):
        place(board, rng, side, letters, squares)
    board.turn = rng.random() < 0.5
    return board


def wanted(tables, board):
    try:
        return f"{tables.probe_wdl(board)} {tables.probe_dtz(board)}"
    except KeyError:
        return "- -"


def main():
    program, folder = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    names = sorted(n[:-5] for n in os.listdir(folder) if n.endswith(".rtbz")) \
        if os.path.isdir(folder) else []
    if not names:
        missing(f"there are no tables in {folder}")
    faults = en_passant = without = done = 0
    with chess.syzygy.open_tablebase(folder) as tables:
        while done < count:
            boards = []
            while len(boards) < min(BATCH, count - done):
                board = random_board(rng, names)
                if board.is_valid():
                    boards.append(board)
            fens = "".join(board.fen(en_passant="fen") + "\n" for board in boards)
            answers = subprocess.run([program, folder], input=fens, stdout=subprocess.PIPE,
                                     text=True, check=True).stdout.split("\n")
            for board, answer in zip(boards, answers):
                expected = wanted(tables, board)
                en_passant += board.has_legal_en_passant()
                without += expected == "- -"
                faults += answer != expected
                if answer != expected and faults <= SHOWN_MAX:
                    print(f"{board.fen()}: {answer}, python-chess says {expected}")
            done += len(boards)
    print(f"{done} positions of {len(names)} tables, {en_passant} with en passant, "
          f"{without} without an answer: {faults} differences")
    return 1 if faults else 0


sys.exit(main())
