#!/usr/bin/env python3
"""Compares scores that makebook import takes in with python-chess.

  tests/campaign/import_oracle.py MAKEBOOK [GAMES.pgn...]

Random positions of standard chess and Chess960 become lines as Lichess publishes them (castling as
king takes rook, scores of White) and as cdblib writes what chessdb.cn says (scores of the side to
move, mates in plies); games give their [%eval]. Each move's score must be that of who makes it, as
`makebook show --json` tells it. 77: python-chess is not installed.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
except ImportError:
    print("import_oracle: skipped without python-chess")
    sys.exit(77)

POSITIONS = 400
SHOWN = 250


def random_board(rng):
    """Some plies from a start; castling rights are kept where they can be."""
    chess960 = rng.random() < 0.5
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(4, 40)):
        moves = list(board.legal_moves)
        castling = [move for move in moves if board.is_castling(move)]
        if not moves:
            break
        board.push(rng.choice(castling or moves) if rng.random() < 0.3 else rng.choice(moves))
    return board


def king_takes_rook(board, move):
    """As Lichess writes it, also of standard chess."""
    shown = board.copy(stack=False)
    shown.chess960 = True
    return shown.uci(shown.parse_uci(board.uci(move)) if not board.is_castling(move) else
                     shown._to_chess960(move))


def lichess_line(rng, board, expected):
    """One evaluation with up to three lines of play."""
    moves = rng.sample(list(board.legal_moves), min(3, board.legal_moves.count()))
    sign = 1 if board.turn == chess.WHITE else -1
    pvs = []
    for move in moves:
        if rng.random() < 0.2:
            mate = rng.choice([-1, 1]) * rng.randrange(1, 30)
            score, own = {"mate": mate}, f"#{sign * mate}"
        else:
            cp = rng.randrange(-900, 900)
            score, own = {"cp": cp}, sign * cp
        pvs.append({**score, "line": king_takes_rook(board, move)})
        expected.append((board.copy(stack=False), move, own, 30))
    return json.dumps({"fen": " ".join(board.shredder_fen().split()[:4]) if board.chess960
                       else " ".join(board.fen(en_passant="legal").split()[:4]),
                       "evals": [{"pvs": pvs, "knodes": 7, "depth": 30}]})


def chessdb_line(rng, board, expected):
    """The score of the position behind a move."""
    move = rng.choice(list(board.legal_moves))
    before = board.copy(stack=False)
    behind = board.copy(stack=False)
    behind.push(move)
    if behind.is_game_over():
        return "# over"
    if rng.random() < 0.2:
        plies = rng.randrange(1, 60)  # odd: the side to move mates
        text = f"M{plies}" if plies % 2 else f"-M{plies}"
        own = f"#-{(plies + 2) // 2}" if plies % 2 else f"#{plies // 2 + 1}"
    else:
        cp = rng.randrange(-900, 900)
        text, own = str(cp), -cp
    expected.append((before, move, own, 0))
    fen = behind.shredder_fen() if behind.chess960 else behind.fen(en_passant="legal")
    return f"{' '.join(fen.split()[:4])} ; cdb eval: {text}, ply: {rng.randrange(99)};"


def game_scores(path, expected):
    """What the games of a file say of moves: the first score of each position."""
    seen = set()
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            for node in game.mainline():
                score = node.eval()
                board = node.board()
                key = " ".join(board.fen(en_passant="legal").split()[:4])
                if score is None or key in seen or board.is_game_over():
                    continue
                seen.add(key)
                own = score.pov(not board.turn)
                # Who is to move and mates in n is n + 1 moves away from the move before.
                mate = own.mate()
                if mate is not None:
                    own = f"#{mate + 1}" if mate > 0 else f"#{mate}"
                else:
                    own = own.score()
                expected.append((node.parent.board(), node.move, own, None))


def check(makebook, folder, rng, store, expected):
    """Asks for the moves one by one, in a book that has nothing but them."""
    faults = 0
    for board, move, own, depth in rng.sample(expected, min(SHOWN, len(expected))):
        book = os.path.join(folder, "one.epd")
        fen = board.shredder_fen() if board.chess960 else board.fen()
        four = " ".join(fen.split()[:4])
        with open(book, "w", encoding="utf-8") as file:
            file.write(f"{four} bm {board.san(move)};\n")
        told = subprocess.run([makebook, "show", book, "--json", "--store", store, fen],
                              capture_output=True, text=True, check=False)
        rows = json.loads(told.stdout)["moves"] if told.stdout else []
        row = next((one for one in rows if one["san"] == board.san(move)), {})
        if row.get("score") != own or (depth is not None and row.get("depth") != depth):
            faults += 1
            print(f"{fen}: {board.san(move)}: {row} instead of {own} {told.stderr}")
    return faults


def main():
    makebook = os.path.abspath(sys.argv[1])
    rng = random.Random(51)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        def imported(name, path):
            store = os.path.join(folder, name + ".store")
            told = subprocess.run([makebook, "import", path, "-o", store], capture_output=True,
                                  text=True, check=True)
            print(told.stdout.strip(), told.stderr.strip())
            return store
        for name, make in (("lichess", lichess_line), ("chessdb", chessdb_line)):
            expected, lines, keys = [], [], set()
            while len(lines) < POSITIONS:
                board = random_board(rng)
                key = board.board_fen()
                if board.is_game_over() or key in keys:
                    continue
                keys.add(key)
                lines.append(make(rng, board, expected))
            path = os.path.join(folder, name + ".txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            faults += check(makebook, folder, rng, imported(name, path), expected)
        for path in sys.argv[2:]:
            expected = []
            game_scores(path, expected)
            faults += check(makebook, folder, rng, imported("games", path), expected)
    print(f"import_oracle: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
