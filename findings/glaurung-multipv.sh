#!/bin/sh
# glaurung 2.2 (Debian 12): with MultiPV above 1 it plays the move of the last of its lines, not of
# the first: here f3f7 is mate and its line 1, but with two lines it plays the second best move, with
# three the third best.
# Valid: the UCI option "MultiPV" that it offers, 1 to 500; the UCI protocol: "info multipv": the
# best line has the number 1; "bestmove": the best move that was found.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download glaurung=2.2-4 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
for lines in 1 2 3; do
    { printf 'uci\nsetoption name MultiPV value %s\nisready\n' "$lines"
        printf 'position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\ngo depth 6\n'
        sleep 2; echo quit; } | "$games/glaurung" >out
    # The line in which the move played stands first, of those of depth 6.
    move=$(sed -n 's/^bestmove \([^ ]*\).*/\1/p' out)
    if [ "$move" = f3f7 ]; then
        echo "MultiPV $lines: f3f7, mate"
    else
        grep ' depth 6 ' out | grep " pv $move" | tail -1 | sed "s/.*multipv \([0-9]*\).*/MultiPV $lines: the move of line \1/"
    fi
done >seen
cat >good <<'EOF'
MultiPV 1: f3f7, mate
MultiPV 2: f3f7, mate
MultiPV 3: f3f7, mate
EOF
cat >stated <<'EOF'
MultiPV 1: f3f7, mate
MultiPV 2: the move of line 2
MultiPV 3: the move of line 3
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
