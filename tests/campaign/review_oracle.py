#!/usr/bin/env python3
"""Recomputes where games left a repertoire, with python-chess, and compares with makebook review.

    review_oracle.py build/makebook GAMES.pgn PLAYER YEAR

For each color a book is made of what PLAYER played in GAMES.pgn until YEAR, at least twice, and all
games of PLAYER are reviewed with it. Exits 1 when a game differs, 77 without python-chess."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
    import chess.polyglot
except ImportError:
    sys.exit(77)

PLIES_MORE = 40  # as in review.c


class Repertoire:
    def __init__(self, path):
        self.entries = {}
        with chess.polyglot.open_reader(path) as reader:
            for entry in reader:
                self.entries.setdefault(entry.key, []).append(entry)
        self.ours = set()
        self.deepest = 0
        self.walk()

    def moves(self, board):
        """What the repertoire plays here."""
        known = chess.polyglot.zobrist_hash(board) in self.known
        return self.probe(board) if known else []

    def probe(self, board):
        found = []
        for entry in self.entries.get(chess.polyglot.zobrist_hash(board), []):
            move = entry.move
            if board.piece_type_at(move.from_square) == chess.KING and (
                    move.uci() in ("e1h1", "e1a1", "e8h8", "e8a8")):
                move = board._from_chess960(board.chess960, move.from_square, move.to_square)
            if entry.weight > 0 and move in board.legal_moves:
                found.append(move)
        return found

    def answered(self, board):
        """The legal moves to which the book has an answer."""
        found = []
        for move in board.legal_moves:
            board.push(move)
            if self.probe(board):
                found.append(move)
            board.pop()
        return found

    def walk(self):
        """Positions behind moves of the book, by lines from the start."""
        start = chess.Board()
        queue = [start] if self.probe(start) else []
        if not queue:
            for move in self.answered(start):
                after = start.copy(stack=False)
                after.push(move)
                queue.append(after)
        self.known = {chess.polyglot.zobrist_hash(board) for board in queue}
        while queue:
            board = queue.pop(0)
            self.deepest = max(self.deepest, board.ply())
            for move in self.probe(board):
                after = board.copy(stack=False)
                after.push(move)
                key = chess.polyglot.zobrist_hash(after)
                if key in self.ours:
                    continue
                self.ours.add(key)
                for reply in self.answered(after):
                    behind = after.copy(stack=False)
                    behind.push(reply)
                    key = chess.polyglot.zobrist_hash(behind)
                    if key not in self.known:
                        self.known.add(key)
                        queue.append(behind)


def judge(repertoire, game, color):
    """(kind, plies, came back): where the game left the repertoire."""
    board = game.board()
    moves = list(game.mainline_moves())[:repertoire.deepest + PLIES_MORE]
    last = None
    by_book = left = came_back = False
    for ply in range(len(moves) + 1):
        book = repertoire.moves(board) if board.turn == color else []
        if board.turn == color:
            known = bool(book)
        else:
            known = by_book or chess.polyglot.zobrist_hash(board) in repertoire.ours or (
                ply == 0 and bool(repertoire.answered(board)))
        if known:
            came_back = came_back or left
            last = (ply, board.copy(stack=False))
        else:
            left = last is not None
        if ply < len(moves):
            by_book = moves[ply] in book
            board.push(moves[ply])
    if last is None:
        return "outside", 0, False
    ply, board = last
    if ply == len(moves):
        return "in_book", ply, came_back
    if board.turn == color:
        return "deviation", ply, came_back
    answered = repertoire.answered(board)
    board.push(moves[ply])
    if not any(board.legal_moves):
        return "in_book", ply, came_back
    return ("gap" if answered else "book_ended"), ply, came_back


def compare(makebook, path, player, book):
    """(games compared, games that differ)"""
    told = json.loads(subprocess.run(
        [makebook, "review", path, "--book", book, "--player", player, "--json"], check=True,
        stdout=subprocess.PIPE).stdout)
    wanted = {}
    for game in told["reviewed"]:
        wanted.setdefault(game["game"], []).append(game)
    repertoire = Repertoire(book)
    compared = differ = 0
    with open(path, encoding="latin-1") as file:
        for number in range(1, max(wanted) + 1):
            if number not in wanted:
                chess.pgn.skip_game(file)
                continue
            game = chess.pgn.read_game(file)
            for answer in wanted[number]:
                color = chess.WHITE if answer["color"] == "white" else chess.BLACK
                ours = judge(repertoire, game, color)
                compared += 1
                theirs = (answer["left"], answer["plies"], answer["came_back"])
                if ours != theirs:
                    differ += 1
                    print(f"game {number} ({answer['color']}): python-chess says {ours}, makebook "
                          f"{theirs}")
    return compared, differ


def main():
    makebook, path, player, year = sys.argv[1:]
    faults = 0
    if not os.path.exists(path):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for color in "white", "black":
            book = os.path.join(folder, color + ".bin")
            subprocess.run([makebook, "build", path, "-o", book, "--player", player, "--until",
                            year, "--color", color, "--max-ply", "30", "--min-games", "2",
                            "--weight", "games", "-q"], check=True)
            compared, differ = compare(makebook, path, player, book)
            print(f"{color}: {compared} games compared, {differ} differ")
            faults += differ > 0 or compared == 0
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
