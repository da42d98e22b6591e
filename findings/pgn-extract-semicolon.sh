#!/bin/sh
# pgn-extract 19.04 (Debian 12): a ";" comment between two moves ends the game before it; its
# moves are lost.
# Valid: the PGN standard, section 5: a semicolon starts a comment that ends with the line.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download pgn-extract=19.04-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
printf '[Event "x"]\n[Result "1-0"]\n\n1. e4 ; a comment\ne5 2. Nf3 1-0\n' >games.pgn
"$games/pgn-extract" -s -Wuci games.pgn >out 2>errors || true
echo "moves: $(grep -v '^\[' out | tr -d '\n')" >seen
grep -o 'Unknown character ;' errors >>seen || true
cat >good <<'EOF'
moves: e2e4 e7e5 g1f3 1-0
EOF
cat >stated <<'EOF'
moves: 1-0
Unknown character ;
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
