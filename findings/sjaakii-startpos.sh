#!/bin/sh
# sjaakii 1.4.1 (Debian 12): "position startpos" behind "position fen ..." changes nothing: it searches
# the old position and answers with a move that the starting position does not have. "ucinewgame"
# before it helps, and so does the FEN of the start.
# Valid: the UCI protocol, "position [fen | startpos] moves ...": sets up the position; an engine is
# not to rely on "ucinewgame", which is for the next search from another game.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download sjaakii=1.4.1-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
first=' a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 g2g3 h2h3 a2a4 b2b4 c2c4 d2d4 e2e4 f2f4 g2g4 h2h4 b1a3 b1c3 g1f3 g1h3 '
# ask NAME COMMANDS...: is the answer, behind a search of a king and rook ending, a first move?
ask() {
    name=$1
    shift
    {
        printf 'uci\nposition fen 8/8/8/8/8/1k6/6R1/K7 w - - 0 1\ngo depth 3\n'
        sleep 1
        printf '%s\n' "$@" 'go depth 3'
        sleep 1
        echo quit
    } | usr/games/sjaakii >out 2>&1
    move=$(sed -n 's/^bestmove \([^ ]*\).*/\1/p' out | sed -n 2p)
    case $first in
    *" $move "*) echo "$name: a first move" ;;
    *) echo "$name: $move, not legal there" ;;
    esac
}
{
    ask 'position startpos' 'position startpos'
    ask 'ucinewgame, position startpos' ucinewgame 'position startpos'
    ask 'FEN of the start' 'position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
} >seen
cat >good <<'EOF'
position startpos: a first move
ucinewgame, position startpos: a first move
FEN of the start: a first move
EOF
cat >stated <<'EOF'
position startpos: a1b1, not legal there
ucinewgame, position startpos: a first move
FEN of the start: a first move
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
