#!/usr/bin/env python3
"""Recomputes where games left a repertoire, with python-chess, and compares with makebook review.

    review_oracle.py build/makebook BOOK.bin "PLAYER" [review's options] -- GAMES.pgn

BOOK.bin is a Polyglot book of one side's moves. Exits 1 when a game differs, 77 without
python-chess."""
import json
import subprocess
import sys

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
    """(kind, plies): where the game left the repertoire."""
    board = game.board()
    moves = list(game.mainline_moves())[:repertoire.deepest + PLIES_MORE]
    last = None
    by_book = False
    for ply in range(len(moves) + 1):
        book = repertoire.moves(board) if board.turn == color else []
        if board.turn == color:
            known = bool(book)
        else:
            known = by_book or chess.polyglot.zobrist_hash(board) in repertoire.ours or (
                ply == 0 and bool(repertoire.answered(board)))
        if known:
            last = (ply, board.copy(stack=False))
        if ply < len(moves):
            by_book = moves[ply] in book
            board.push(moves[ply])
    if last is None:
        return "outside", 0
    ply, board = last
    if ply == len(moves):
        return "in_book", ply
    if board.turn == color:
        return "deviation", ply
    answered = repertoire.answered(board)
    board.push(moves[ply])
    if not any(board.legal_moves):
        return "in_book", ply
    return ("gap" if answered else "book_ended"), ply


def main():
    makebook, book, player = sys.argv[1:4]
    at = sys.argv.index("--")
    path = sys.argv[at + 1]
    command = [makebook, "review", path, "--book", book, "--player", player, "--json"]
    told = json.loads(subprocess.run(command + sys.argv[4:at], check=True,
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
                if ours != (answer["left"], answer["plies"]):
                    differ += 1
                    print(f"game {number} ({answer['color']}): python-chess says {ours}, makebook "
                          f"{(answer['left'], answer['plies'])}")
    print(f"{compared} games compared, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
