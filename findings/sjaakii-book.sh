#!/bin/sh
# sjaakii 1.4.1 (Debian 12): "-book FILE" says "Using opening book FILE", of a file that is not there,
# too, and no book is ever played from. The command "book", which "help" describes as the Polyglot
# book to use, is an unknown command.
# Valid: the program's own option and help; a Polyglot book of one entry, h2h4 in the starting position.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download sjaakii=1.4.1-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
printf '\106\073\226\030\026\221\374\234\003\337\000\001\000\000\000\000' >h4.bin
# play COMMAND OPTIONS...: what it says of the book, and its first moves of five games
play() {
    command=$1
    shift
    i=0
    while [ $i -lt 5 ]; do
        i=$((i + 1))
        {
            printf 'xboard\nprotover 2\n%snew\nsd 2\ngo\n' "$command"
            sleep 1
            echo quit
        } | usr/games/sjaakii "$@" 2>&1
    done >out
    grep -m 1 -o -E 'Using opening book .*|Error.*book.*' out || echo "no word of it"
    echo "h2h4 in $(grep -c '^move h2h4' out || :) of $(grep -c '^move ' out || :) games"
}
{
    echo "-book h4.bin: $(play '' -book h4.bin | paste -s -d , | sed 's/,/, /')"
    echo "-book absent.bin: $(play '' -book absent.bin | paste -s -d , | sed 's/,/, /')"
    echo "book h4.bin: $(play 'book h4.bin
' | paste -s -d , | sed 's/,/, /')"
} >seen
cat >good <<'EOF'
-book h4.bin: Using opening book h4.bin, h2h4 in 5 of 5 games
-book absent.bin: (an error), h2h4 in 0 of 5 games
book h4.bin: no word of it, h2h4 in 5 of 5 games
EOF
cat >stated <<'EOF'
-book h4.bin: Using opening book h4.bin, h2h4 in 0 of 5 games
-book absent.bin: Using opening book absent.bin, h2h4 in 0 of 5 games
book h4.bin: Error (Illegal move or unknown command): book h4.bin, h2h4 in 0 of 5 games
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
