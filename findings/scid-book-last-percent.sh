#!/bin/sh
# scid 4.7.4 (Debian 12): the book move of a game against an engine is drawn by sums of percents that
# are rounded to whole ones, with 100 possible draws from 0 to 99: of weights 99 and 1 the second is
# never drawn, in 5,000 draws (about 50 are to be expected).
# Valid: the Polyglot book format, field "weight": a move is drawn in proportion to its weight.
set -eu
command -v xvfb-run >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download scid=1:4.7.4+dfsg1-2 scid-data=1:4.7.4+dfsg1-2 libtcl8.6=8.6.13+dfsg-2 libtk8.6=8.6.13-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
printf '\106\073\226\030\026\221\374\234\002\333\000\143\000\000\000\000\106\073\226\030\026\221\374\234\003\034\000\001\000\000\000\000' >book.bin
# The procedures of its own file, without the windows.
{
    echo 'namespace eval book { set currentBook {}; set bookSlot 0; set bookTuningSlot 2; set isReadonly 0'
    sed -n '/^  proc scBookOpen/,/^  }/p; /^  proc getMove/,/^  }/p' usr/share/scid/tcl/windows/book.tcl
    echo '}'
    echo "set ::scidBooksDir $dir"
    echo 'sc_game new'
    echo 'for {set i 0} {$i < 5000} {incr i} { incr n([::book::getMove book.bin {} 1]) }'
    echo "set out [open $dir/seen w]"
    echo 'foreach move [lsort [array names n]] { puts $out "$move: [expr {$n($move) == 5000 ? {always} : {sometimes}}]" }'
    echo 'close $out; exit'
} >try.tcl
HOME=$dir LD_LIBRARY_PATH=$(dirname "$(find "$dir/usr/lib" -name 'libtcl8.6.so*' | head -1)") TCL_LIBRARY=$dir/usr/share/tcltk/tcl8.6 TK_LIBRARY=$dir/usr/share/tcltk/tk8.6 \
    xvfb-run -a usr/games/tkscid try.tcl >log 2>&1 || true
touch seen
cat >good <<'EOF'
d4: sometimes
e4: sometimes
EOF
cat >stated <<'EOF'
d4: always
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
