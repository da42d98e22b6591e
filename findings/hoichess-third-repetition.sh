#!/bin/sh
# hoichess 0.22.0 (Debian 12): a queen and a rook down, it does not play the move that repeats the
# position for the third time, though it calls the game a draw when it is told that move.
# Valid: the Laws of Chess, 9.2: a draw when the same position appears for the third time; xboard's
# protocol: "setboard", "usermove".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download hoichess=0.22.0-3 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
moves='b1a1 a7a8 a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1'
# play COMMAND: what the program says to COMMAND behind these moves
play() {
    { printf 'xboard\nnew\neasy\nforce\nsetboard 8/k7/8/8/8/8/8/1K3QR1 w - - 0 1\n'
        for move in $moves; do echo "usermove $move"; done
        printf 'sd 6\n%s\n' "$1"; sleep 2; echo quit; } | "$games/hoichess" | grep -E '^(move |1/2)' || true
}
{
    echo "told b8a8: $(play 'usermove b8a8')"
    echo "its own: $(play go | sed 's/^move b8[bc].*/another move/' | tr '\n' ' ' | sed 's/ $//')"
} >seen
cat >good <<'EOF'
told b8a8: 1/2-1/2 {3 repetitions}
its own: move b8a8 1/2-1/2 {3 repetitions}
EOF
cat >stated <<'EOF'
told b8a8: 1/2-1/2 {3 repetitions}
its own: another move
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
