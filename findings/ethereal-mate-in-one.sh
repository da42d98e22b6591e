#!/bin/sh
# ethereal-chess 12.00 (Debian 12): a mate in one, by a quiet move, is not found by "go mate 1", nor
# by "go depth 6" or less.
# Valid: the UCI protocol, command "go": "mate x: search for a mate in x moves"; "depth x: search x
# plies only". The mate is one ply deep.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download ethereal-chess=12.00+ds1-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
for limit in 'mate 1' 'depth 2' 'depth 6' 'depth 7'; do
    { printf 'uci\nisready\nposition fen 6k1/R7/1R6/8/8/8/8/7K w - - 0 1\ngo %s\n' "$limit"
        sleep 2; echo quit; } | "$games/ethereal-chess" | sed -n 's/^bestmove \([^ ]*\).*/\1/p' >move
    grep -q '^b6b8$' move && echo "$limit: b6b8, mate" || echo "$limit: $(grep -c . move) other move"
done >seen
cat >good <<'EOF'
mate 1: b6b8, mate
depth 2: b6b8, mate
depth 6: b6b8, mate
depth 7: b6b8, mate
EOF
cat >stated <<'EOF'
mate 1: 1 other move
depth 2: 1 other move
depth 6: 1 other move
depth 7: b6b8, mate
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
