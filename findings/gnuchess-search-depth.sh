#!/bin/sh
# gnuchess 6.2.7 (Debian 12): in its xboard mode it takes "sd 2" for an illegal move, and searches as
# deep as its time allows; "depth 2", a command of its own, works.
# Valid: xboard's protocol, "sd DEPTH": the engine limits its thinking to DEPTH ply; xboard sends it for
# its option -depth.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download gnuchess=6.2.7-1+deb12u1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
# ask COMMAND: what it says to COMMAND, and how deep its next search goes
ask() {
    {
        printf 'xboard\nnew\neasy\npost\nlevel 40 1 0\n'
        sleep 1
        echo "$1"
        sleep 1
        echo 'usermove e2e4'
        for i in 1 2 3 4 5 6; do
            sleep 1
            echo "ping $i"
        done
        echo quit
    } | usr/games/gnuchess -x >out 2>&1
    echo "$1: $(grep 'Invalid move' out || echo 'no complaint'), $(awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[-+]/ && $1 > deep { deep = $1 }
        END { print (deep > 2 ? "deeper than 2" : deep ? "not deeper than 2" : "no line") }' out)"
}
{
    ask 'sd 2'
    ask 'depth 2'
} >seen
cat >good <<'EOF'
sd 2: no complaint, not deeper than 2
depth 2: no complaint, not deeper than 2
EOF
cat >stated <<'EOF'
sd 2: Invalid move: sd 2, deeper than 2
depth 2: no complaint, not deeper than 2
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
