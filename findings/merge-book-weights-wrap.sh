#!/bin/sh
# polyglot 2.0.4+git20210322 (Debian 12): merge-book adds the weights of a move that both books
# have modulo 65,536: 40,000 and 40,000 become 14,464.
# Valid: the Polyglot book format, field "weight": any unsigned value of 16 bits; only the ratio
# of the moves of a position counts.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download polyglot=2.0.4+git20210322-1 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
games=$dir/usr/games
printf '\106\073\226\030\026\221\374\234\003\034\234\100\000\000\000\000' >a.bin
"$games/polyglot" merge-book -in1 a.bin -in2 a.bin -out out.bin >polyglot.log
echo "weight of e2e4: $((0x$(od -An -tx1 -j10 -N2 out.bin | tr -d ' \n')))" >seen
cat >good <<'EOF'
weight of e2e4: 65535 (or both scaled)
EOF
cat >stated <<'EOF'
weight of e2e4: 14464
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
