#!/bin/sh
# toga2 3.0 (Debian 12): castling written as the format wants it, e1h1, is never found in the
# book; the king's own journey, e1g1, is.
# Valid: the Polyglot book format, section on castling: king takes own rook, e1h1, e1a1, e8h8,
# e8a8.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download toga2=3.0.0.1SE1-2+b1 >apt.log 2>&1 || { cat apt.log; exit 77; }
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

printf '\357\044\354\366\310\073\012\162\001\007\000\001\000\000\000\000' >e1h1.bin
printf '\357\044\354\366\310\073\012\162\001\006\000\001\000\000\000\000' >e1g1.bin
for book in e1h1 e1g1; do
    echo "$book: $(ask $book.bin '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1' "$games/toga2")"
done >seen
cat >good <<'EOF'
e1h1: e1g1
(e1g1: a move of the search)
EOF
cat >stated <<'EOF'
e1h1: h1h7
e1g1: e1g1
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
