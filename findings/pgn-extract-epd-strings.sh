#!/bin/sh
# pgn-extract 19.04 (Debian 12): -Wepd writes the comment c0, players and event with blanks between,
# without quotation marks: each word is an operand of its own. A semicolon in a tag value ends the
# operation in the midst of it, and what is behind it becomes another opcode.
# Valid: the PGN standard, section 8.1: a tag value may have a semicolon; section 16.2: an operand is
# either without blanks or a string within quotation marks, and ";" ends each operation.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download pgn-extract=19.04-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
cat >game.pgn <<'EOF'
[Event "Open; bm group"]
[Site "Bern"]
[Date "2020.01.02"]
[Round "1"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 1-0
EOF
usr/games/pgn-extract -s -Wepd game.pgn 2>errors | sed '/^$/d' >seen
cat >good <<'EOF'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 "Ann-Bob Open; bm group Bern 2020.01.02"; c1 1-0;
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 c0 "Ann-Bob Open; bm group Bern 2020.01.02"; c1 1-0;
EOF
sed 's/"//g' good >stated
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
