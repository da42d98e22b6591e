#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): make-book plays a game with a tag FEN from the starting
# position and gives the whole file up, with status 0, at its first move that is illegal there.
# Valid: the PGN standard, section 9.7: the tags SetUp "1" and FEN give another starting position.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download polyglot=2.0.4+git20210322-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
printf '[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[Result "1-0"]\n\n1. e4 Kd7 1-0\n' >games.pgn
status=0
"$games/polyglot" make-book -pgn games.pgn -bin out.bin -min-game 1 >polyglot.log || status=$?
echo "status $status" >seen
test -s out.bin && echo "a book" >>seen || echo "no book" >>seen
sed -n 's/.*\(illegal move "[^"]*"\).*/\1/p' polyglot.log >>seen
cat >good <<'EOF'
status 0
a book
EOF
cat >stated <<'EOF'
status 0
no book
illegal move "Kd7"
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
