#!/bin/sh
# pychess 1.0.3 (Debian 12): its engine finds no book move, and leaves its book for the rest of the
# game, where the first entry of a position has the weight 0; 200 draws each.
# Valid: the Polyglot book format, field "weight": 0 is a move that is never played, the others are
# drawn in proportion; the format asks for no order within a position.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download pychess=1.0.3-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
# e2e4 of weight 0 and d2d4 of weight 9, in both orders
printf '\106\073\226\030\026\221\374\234\003\034\000\000\000\000\000\000\106\073\226\030\026\221\374\234\002\333\000\011\000\000\000\000' >front.bin
printf '\106\073\226\030\026\221\374\234\002\333\000\011\000\000\000\000\106\073\226\030\026\221\374\234\003\034\000\000\000\000\000\000' >behind.bin
cat >try.py <<'EOF'
import collections
from pychess.Utils import book
from pychess.Utils.lutils.LBoard import LBoard
from pychess.Utils.lutils.lmove import toAN
from pychess.Players.PyChess import PyChess

class Engine(PyChess):
    def __init__(self):
        self.board = LBoard(0)
        self.board.applyFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        self.outOfBook = False

for name in ("in front", "behind"):
    book.path, book.bookfile = name.split()[-1] + ".bin", True
    drawn = collections.Counter()
    for _ in range(200):
        engine = Engine()
        move = engine._PyChess__getBestOpening()
        drawn["nothing" if move is None else toAN(engine.board, move)] += 1
    print("weight 0 " + name + ":", ", ".join(sorted(drawn)))
EOF
HOME=$dir PYTHONPATH=$dir/usr/lib/python3/dist-packages /usr/bin/python3 try.py >seen 2>errors || cat errors
cat >good <<'EOF'
weight 0 in front: d2d4
weight 0 behind: d2d4
EOF
cat >stated <<'EOF'
weight 0 in front: nothing
weight 0 behind: d2d4
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
