#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): as an adaptor it never plays a move with less than 0.5 %
# of the weights of its position. Here 0.4 % in 3,000 games: 12 are to be expected, none has a
# chance of 1 in 160,000.
# Valid: the Polyglot book format, field "weight": a move is to be drawn in proportion to its
# weight; only 0 means never.
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

printf '\106\073\226\030\026\221\374\234\003\034\046\350\000\000\000\000\106\073\226\030\026\221\374\234\002\333\000\050\000\000\000\000' >book.bin
i=0
{ printf 'xboard\nprotover 2\n'; sleep 1
    while [ $i -lt 3000 ]; do printf 'new\ngo\n'; i=$((i + 1)); done
    sleep 5; echo quit; } | "$games/polyglot" -noini -ec "$dir/engine" -pg Book=true -pg BookFile="$dir/book.bin" >out
echo "games: $(grep -c '^move' out), d2d4: $(grep -c '^move d2d4' out)" >seen
cat >good <<'EOF'
games: 3000, d2d4: about 12
EOF
cat >stated <<'EOF'
games: 3000, d2d4: 0
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
