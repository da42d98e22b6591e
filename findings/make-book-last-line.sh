#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): make-book gives the whole file up, with status 0, where
# the last line has no line end.
# Valid: the PGN standard, section 3: import format is lax about layout; 8.2.6: the termination
# marker, here the last token, ends the game.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download polyglot=2.0.4+git20210322-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
printf '[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0' >games.pgn
status=0
"$games/polyglot" make-book -pgn games.pgn -bin out.bin -min-game 1 >polyglot.log || status=$?
echo "status $status" >seen
test -s out.bin && echo "a book" >>seen || echo "no book" >>seen
sed -n 's/.*\(symbol too long\).*/\1/p' polyglot.log >>seen
cat >good <<'EOF'
status 0
a book
EOF
cat >stated <<'EOF'
status 0
no book
symbol too long
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
