#!/bin/sh
# ethereal-chess 12.00, hoichess 0.22.0 (Debian 12): where the clock of the 50-move rule stands at
# 99, a move that mates counts as a draw for them like every other: both give the mate in one away
# (hoichess for a stalemate).
# Valid: the Laws of Chess, 5.1.1: checkmate ends the game at once; 9.6.2: it takes precedence. The
# FEN's fifth field is the clock.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download ethereal-chess=12.00+ds1-1 hoichess=0.22.0-3 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
mated='7k/8/5KQ1/8/8/8/8/8 w - -'
for clock in 0 99; do
    { printf 'uci\nisready\nposition fen %s %s 90\ngo depth 12\n' "$mated" "$clock"
        sleep 2; echo quit; } | "$games/ethereal-chess" | sed -n 's/^bestmove \([^ ]*\).*/\1/p' >move
    echo "ethereal-chess, clock $clock: $(grep -q '^g6g7$' move && echo 'g6g7, mate' || echo 'another move')"
    { printf 'xboard\nnew\neasy\nforce\nsetboard %s %s 90\nsd 4\ngo\n' "$mated" "$clock"
        sleep 2; echo quit; } | "$games/hoichess" >out
    echo "hoichess, clock $clock: $(grep -q '^move g6g7' out && echo 'g6g7, mate' || echo "another move, $(grep -o '^1/2-1/2' out)")"
done >seen
cat >good <<'EOF'
ethereal-chess, clock 0: g6g7, mate
hoichess, clock 0: g6g7, mate
ethereal-chess, clock 99: g6g7, mate
hoichess, clock 99: g6g7, mate
EOF
cat >stated <<'EOF'
ethereal-chess, clock 0: g6g7, mate
hoichess, clock 0: g6g7, mate
ethereal-chess, clock 99: another move
hoichess, clock 99: another move, 1/2-1/2
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
