#!/bin/sh
# gnuchess 6.2.7, toga2 3.0 (Debian 12): a promotion in their book is never found; code 0 (no
# promotion) makes a queen.
# Valid: the Polyglot book format, field "move": the promotion piece is 0 none, 1 knight, 2
# bishop, 3 rook, 4 queen.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download gnuchess=6.2.7-1+deb12u1 toga2=3.0.0.1SE1-2+b1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
# ask BOOK FEN PROGRAM: the move that PROGRAM plays with BOOK in the position FEN
ask() {
    book=$1 fen=$2
    shift 2
    { printf 'uci\nsetoption name OwnBook value true\nsetoption name BookFile value %s\nisready\n' "$dir/$book"
        printf 'position fen %s\ngo depth 3\n' "$fen"; sleep 1; echo quit; } | "$@" | sed -n 's/^bestmove \([^ ]*\).*/\1/p'
}

printf '\360\145\106\277\370\305\252\360\114\070\000\001\000\000\000\000' >queen.bin
printf '\360\145\106\277\370\305\252\360\034\070\000\001\000\000\000\000' >knight.bin
printf '\360\145\106\277\370\305\252\360\014\070\000\001\000\000\000\000' >none.bin
for book in queen knight none; do
    echo "gnuchess, $book: $(ask $book.bin '8/P6k/8/8/8/8/4K3/8 w - - 0 1' "$games/gnuchess" --uci)"
    echo "toga2, $book: $(ask $book.bin '8/P6k/8/8/8/8/4K3/8 w - - 0 1' "$games/toga2")"
done >seen
cat >good <<'EOF'
gnuchess, queen: a7a8q
toga2, queen: a7a8q
gnuchess, knight: a7a8n
toga2, knight: a7a8n
(none: a move of the search)
EOF
cat >stated <<'EOF'
gnuchess, queen: e2d3
toga2, queen: e2d3
gnuchess, knight: e2d3
toga2, knight: e2d3
gnuchess, none: a7a8q
toga2, none: a7a8q
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
