#!/bin/sh
# ethereal-chess 12.00, toga2 3.0 (Debian 12): "go nodes 2000" does not search 2,000 nodes. Ethereal
# answers behind depth 1, with fewer than 100 nodes; toga2 searches on until it is told to stop, here
# for three seconds.
# Valid: the UCI protocol, command "go": "nodes <x>: search x nodes only".
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
    { printf 'uci\nsetoption name OwnBook value false\nisready\nposition startpos\ngo nodes 2000\n'
        sleep 3; echo stop; sleep 1; echo quit; } | "$games/$name" >out
    nodes=$(tr ' ' '\n' <out | sed -n '/^nodes$/{n;p;}' | tail -1)
    if [ "$nodes" -lt 100 ]; then echo "$name: fewer than 100"
    elif [ "$nodes" -gt 20000 ]; then echo "$name: more than 20,000"
    else echo "$name: about 2,000"; fi
done >seen
cat >good <<'EOF'
ethereal-chess: about 2,000
toga2: about 2,000
EOF
cat >stated <<'EOF'
ethereal-chess: fewer than 100
toga2: more than 20,000
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
