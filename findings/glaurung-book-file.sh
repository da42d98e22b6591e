#!/bin/sh
# glaurung 2.2 (Debian 12): the option "Book File" is not used: it plays from "book.bin" of the
# current folder, whatever the option names, and from no book where there is none.
# Valid: the UCI option "Book File" that it offers; its Readme: "The book file can be selected by
# setting the UCI parameter "Book File""; Polyglot books of one entry.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download glaurung=2.2-4 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
mkdir empty other
printf '\106\073\226\030\026\221\374\234\003\337\000\001\000\000\000\000' >h4.bin
printf '\106\073\226\030\026\221\374\234\002\030\000\001\000\000\000\000' >other/book.bin # a2a4
for folder in empty other; do
    (
        cd $folder
        { printf 'uci\nsetoption name Book File value %s\nsetoption name OwnBook value true\nisready\nposition startpos\ngo depth 2\n' "$dir/h4.bin"
            sleep 1; echo quit; } | "$dir/usr/games/glaurung" | sed -n "s/^bestmove \([^ ]*\).*/Book File h4.bin, folder $folder: \1/p"
    )
done >seen
cat >good <<'EOF'
Book File h4.bin, folder empty: h2h4
Book File h4.bin, folder other: h2h4
EOF
cat >stated <<'EOF'
Book File h4.bin, folder empty: g1f3
Book File h4.bin, folder other: a2a4
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
