#!/bin/sh
# gnuchess 6.2.7 (Debian 12): "book add" makes an empty book of moves of one game, and what it writes,
# book.bin in the current folder, is not the book that is played: after four games with 1. h4 it
# never comes in five new ones.
# Valid: "help book" of the program: "add - compiles book.bin from a pgn book file", "on - enables
# use of book (default)".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download gnuchess=6.2.7-1+deb12u1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
game='[Event "a"]\n[Site "?"]\n[Date "2001.01.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. h4 h5 2. a4 a5 1-0\n\n'
printf "$game" >one.pgn
printf "$game$game$game$game" >four.pgn
entries() {
    rm -f book.bin
    { sleep 1; echo "book add $1.pgn"; sleep 3; echo quit; } | usr/games/gnuchess >log 2>&1
    echo "$1 game(s): book.bin here has $(($(wc -c <book.bin) / 16)) entries"
}
{
    entries one
    entries four
} >seen
i=0
while [ $i -lt 5 ]; do
    { sleep 1; echo go; sleep 3; echo quit; } | usr/games/gnuchess 2>&1 | sed -n 's/^My move is : //p'
    i=$((i + 1))
done >moves
echo "games: $(wc -l <moves), h4: $(grep -c h4 moves)" >>seen
cat >good <<'EOF'
one game(s): book.bin here has 2 entries
four game(s): book.bin here has 2 entries
games: 5, h4: 5
EOF
cat >stated <<'EOF'
one game(s): book.bin here has 0 entries
four game(s): book.bin here has 2 entries
games: 5, h4: 0
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
