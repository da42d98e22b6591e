#!/bin/sh
# ethereal-chess 12.00, toga2 3.0 (Debian 12): "go searchmoves" is not used: they
# answer with a move that is not in the list.
# Valid: the UCI protocol, command "go": "searchmoves <move1> .... <movei>: restrict search to this
# moves only".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download ethereal-chess=12.00+ds1-1 toga2=3.0.0.1SE1-2+b1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
for name in ethereal-chess toga2; do
    for asked in 'depth 5 searchmoves a2a3 h2h3' 'searchmoves a2a3 h2h3 depth 5'; do
        { printf 'uci\nsetoption name OwnBook value false\nisready\nposition startpos\ngo %s\n' "$asked"
            sleep 2; echo quit; } | "$games/$name" | sed -n 's/^bestmove \([^ ]*\).*/\1/p' >move
        grep -qE '^(a2a3|h2h3)$' move && echo "$name: one of the two" || echo "$name: $(grep -c . move) other move"
    done
done >seen
cat >good <<'EOF'
ethereal-chess: one of the two
ethereal-chess: one of the two
toga2: one of the two
toga2: one of the two
EOF
cat >stated <<'EOF'
ethereal-chess: 1 other move
ethereal-chess: 1 other move
toga2: 1 other move
toga2: 1 other move
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
