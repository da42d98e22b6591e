#!/bin/sh
# pychess 1.0.3 (Debian 12): a promotion without a capture does not set the clock of the 50-move rule
# back; where it is the hundredth ply on that clock, the game is called a draw.
# Valid: the Laws of Chess, 9.3: the 50 moves are moves "without the movement of any pawn and without
# any capture"; the PGN standard, section 16.1.3.5: the clock of the FEN is 0 behind a pawn move.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download pychess=1.0.3-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
cat >try.py <<'EOF'
from pychess.Utils.Board import Board
from pychess.Utils.Move import Move
from pychess.Utils.const import DRAW, DRAW_50MOVES, RUNNING
from pychess.Utils.logic import getStatus
from pychess.Utils.lutils.lmove import parseSAN

def play(name, fen, san):
    board = Board(setup=fen)
    board = board.move(Move(parseSAN(board.board, san)))
    status, reason = getStatus(board)
    what = "the game goes on" if status == RUNNING else "another end"
    if status == DRAW and reason == DRAW_50MOVES:
        what = "draw, 50 moves"
    print("%s: clock %s, %s" % (name, board.asFen().split()[4], what))

play("a7 behind 99", "8/8/P6k/8/8/8/8/K7 w - - 99 90", "a7")
play("a8=Q behind 99", "8/P6k/8/8/8/8/8/K7 w - - 99 90", "a8=Q")
play("a8=N behind 30", "8/P6k/8/8/8/8/7P/K7 w - - 30 90", "a8=N")
play("axb8=Q behind 99", "1n6/P6k/8/8/8/8/8/K7 w - - 99 90", "axb8=Q")
EOF
HOME=$dir PYTHONPATH=$dir/usr/lib/python3/dist-packages /usr/bin/python3 try.py >seen 2>errors || cat errors
cat >good <<'EOF'
a7 behind 99: clock 0, the game goes on
a8=Q behind 99: clock 0, the game goes on
a8=N behind 30: clock 0, the game goes on
axb8=Q behind 99: clock 0, the game goes on
EOF
cat >stated <<'EOF'
a7 behind 99: clock 0, the game goes on
a8=Q behind 99: clock 100, draw, 50 moves
a8=N behind 30: clock 31, the game goes on
axb8=Q behind 99: clock 0, the game goes on
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
