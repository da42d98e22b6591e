#!/bin/sh
# scid 4.7.4 (Debian 12): saving a position in "Book tuning" as it is shown changes its weights: the
# percents are rounded to whole ones, and those of 0 % become a weight of 1 in 65,520. Of weights 590,
# 397, 10 and 3 the last becomes 200 times as rare.
# Valid: the Polyglot book format, field "weight": only the ratio of the moves of a position counts.
set -eu
command -v xvfb-run >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download scid=1:4.7.4+dfsg1-2 scid-data=1:4.7.4+dfsg1-2 libtcl8.6=8.6.13+dfsg-2 libtk8.6=8.6.13-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
# e2e4 590, d2d4 397, c2c4 10, g2g3 3
printf '\106\073\226\030\026\221\374\234\003\034\002\116\000\000\000\000\106\073\226\030\026\221\374\234\002\333\001\215\000\000\000\000' >book.bin
printf '\106\073\226\030\026\221\374\234\002\232\000\012\000\000\000\000\106\073\226\030\026\221\374\234\003\226\000\003\000\000\000\000' >>book.bin
# What its procedures refreshTuning and save do between them, without the window.
cat >try.tcl <<EOF
sc_game new
sc_book load $dir/book.bin 2
foreach {move percent} [lindex [sc_book moves 2] 0] {
    lappend moves \$move
    lappend percents [string range \$percent 0 end-1]
}
sc_book movesupdate \$moves \$percents 2 $dir/tempfile
sc_book close 2
exit
EOF
HOME=$dir LD_LIBRARY_PATH=$(dirname "$(find "$dir/usr/lib" -name 'libtcl8.6.so*' | head -1)") TCL_LIBRARY=$dir/usr/share/tcltk/tcl8.6 TK_LIBRARY=$dir/usr/share/tcltk/tk8.6 \
    xvfb-run -a usr/games/tkscid try.tcl >log 2>&1 || true
for at in 10 26 42 58; do
    echo $((0x$(od -An -tx1 -j$at -N2 book.bin | tr -d ' \n')))
done | tr '\n' ' ' >seen
echo >>seen
cat >good <<'EOF'
590 397 10 3 
EOF
cat >stated <<'EOF'
65520 44420 1110 1 
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
