#!/bin/sh
# stockfish 15.1 (Debian 12): with 600 ms or less left on its clock and no increment it stops behind the
# first moves of its list: it neither mates in one nor takes a queen for nothing. (The option "Move
# Overhead", 10 ms, is taken off for 52 moves.)
# Valid: the UCI protocol, command "go": "wtime", "btime", "winc", "binc" are what the clocks have, in
# ms; "movestogo" is the number of moves to the next time control.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download stockfish=15.1-4 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
mate='6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1'
queen='rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
# ask FEN CLOCK: the answer to "go CLOCK"
ask() {
    case $({ printf 'uci\nposition fen %s\ngo %s\n' "$1" "$2"; sleep 2; echo quit; } | usr/games/stockfish | sed -n 's/^bestmove \([^ ]*\).*/\1/p') in
        a1a8) echo mate ;;
        f3h4) echo "takes the queen" ;;
        *) echo "another move" ;;
    esac
}
{
    echo "300 ms: $(ask "$mate" 'wtime 300 btime 300')"
    echo "600 ms: $(ask "$mate" 'wtime 600 btime 600')"
    echo "600 ms, last move of the time control: $(ask "$mate" 'wtime 600 btime 600 movestogo 1')"
    echo "600 ms and 1,000 a move: $(ask "$mate" 'wtime 600 btime 600 winc 1000 binc 1000')"
    echo "600 ms, queen: $(ask "$queen" 'wtime 600 btime 600')"
    echo "5,000 ms, queen: $(ask "$queen" 'wtime 5000 btime 5000')"
} >seen
cat >good <<'EOF'
300 ms: mate
600 ms: mate
600 ms, last move of the time control: mate
600 ms and 1,000 a move: mate
600 ms, queen: takes the queen
5,000 ms, queen: takes the queen
EOF
cat >stated <<'EOF'
300 ms: another move
600 ms: another move
600 ms, last move of the time control: mate
600 ms and 1,000 a move: mate
600 ms, queen: another move
5,000 ms, queen: takes the queen
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
