#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): as an adaptor it misses the book's entry where the FEN
# names an en passant square that no pawn can use.
# Valid: the PGN standard, section 16.1.3.4: the square is given after every double step, whether
# or not a pawn can capture; the Polyglot format hashes it only where a pawn stands beside.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download polyglot=2.0.4+git20210322-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
cat >engine <<'EOF'
#!/bin/sh
while read -r line; do
    case $line in
        uci) echo "id name Fake"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "info depth 1 score cp 0 nodes 1 pv a7a6"; echo "bestmove a7a6" ;;
        quit) exit 0 ;;
    esac
done
EOF
chmod +x engine

printf '\202\074\233\120\375\021\101\226\015\044\000\001\000\000\000\000' >book.bin
for square in - e3; do
    { printf 'xboard\nprotover 2\n'; sleep 1
        printf 'new\nsetboard rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq %s 0 1\ngo\n' "$square"
        sleep 1; echo quit; } | "$games/polyglot" -noini -ec "$dir/engine" -pg Book=true -pg BookFile="$dir/book.bin" |
        sed -n "s/^move/$square:/p"
done >seen
cat >good <<'EOF'
-: e7e5
e3: e7e5
EOF
cat >stated <<'EOF'
-: e7e5
e3: a7a6
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
