#!/bin/sh
# glaurung 2.2, sjeng 11.2, phalanx 25 (Debian 12): the clock of the 50-move rule in a FEN is not
# used: with two heavy pieces and a pawn more they play another move than the pawn's at clock 99, and
# the next move is a draw.
# Valid: the PGN standard, section 16.1.3.5: the fifth field counts the plies since the last capture
# or pawn move; the Laws of Chess, 9.3: at 100 the opponent can claim a draw. No move mates or
# captures here.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download glaurung=2.2-4 sjeng=11.2-8.2 phalanx=25-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
fen='4k3/8/8/8/8/8/P7/3K2RQ w - - 99 90'
# kind PROGRAM FILE: says whether FILE has a move of the pawn
kind() {
    case $(sed -n 's/^\(best\)\{0,1\}move \([^ ]*\).*/\2/p' "$2" | head -1) in
        a2a3 | a2a4) echo "$1: the pawn" ;;
        '') echo "$1: no move" ;;
        *) echo "$1: another move" ;;
    esac
}
{
    { printf 'uci\nisready\nposition fen %s\ngo depth 5\n' "$fen"; sleep 2; echo quit; } | "$games/glaurung" >out
    kind glaurung out
    { printf 'xboard\nnew\neasy\nforce\nsetboard %s\nsd 5\ngo\n' "$fen"; sleep 2; echo quit; } | "$games/sjeng" >out
    kind sjeng out
    { printf 'xboard\nnew\neasy\nlevel 40 1 0\nforce\nsetboard %s\ngo\n' "$fen"; sleep 4; echo quit; } | HOME=$dir "$games/phalanx" -b- -l- >out
    kind phalanx out
} >seen
cat >good <<'EOF'
glaurung: the pawn
sjeng: the pawn
phalanx: the pawn
EOF
cat >stated <<'EOF'
glaurung: another move
sjeng: another move
phalanx: another move
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
