#!/bin/sh
# scid 4.7.4 (Debian 12): of a PGN that it reads without a warning it writes another one: two comments
# behind a move become one word, a quotation mark in a tag value loses its backslash, and a comment to
# the end of the line, "; see } one", is put in braces, "{see } one}", so that the moves behind it are
# lost when it reads its own PGN.
# Valid: the PGN standard, section 7: a quotation mark in a string has a backslash before it; section
# 5: a comment that begins with ";" goes to the end of the line, one in braces to the first closing
# brace, and several may follow each other.
set -eu
command -v xvfb-run >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download scid=1:4.7.4+dfsg1-2 scid-data=1:4.7.4+dfsg1-2 libtcl8.6=8.6.13+dfsg-2 libtk8.6=8.6.13-2 >apt.log 2>&1 || { cat apt.log; exit 77; }
for deb in *.deb; do
    dpkg -x "$deb" "$dir"
done
cat >game.pgn <<'EOF'
[Event "the \"Open\""]
[Site "?"]
[Date "2020.01.01"]
[Round "1"]
[White "W"]
[Black "B"]
[Result "1-0"]

1. e4 {good} {move} e5 ; see } one
2. Nf3 Nc6 1-0

EOF
cat >try.tcl <<EOF
set out [open $dir/seen w]
set in [open $dir/game.pgn]
set text [read \$in]
foreach turn {first again} {
    sc_game new
    puts \$out "\$turn: [lindex [split [string trim [sc_game import \$text]] \n] 0]"
    set text [sc_game pgn -width 200]
    foreach line [split \$text \n] {
        if {[regexp {^(\\[Event|1)} \$line]} { puts \$out [string trim \$line] }
    }
}
close \$out
exit
EOF
HOME=$dir LD_LIBRARY_PATH=$(dirname "$(find "$dir/usr/lib" -name 'libtcl8.6.so*' | head -1)") TCL_LIBRARY=$dir/usr/share/tcltk/tcl8.6 TK_LIBRARY=$dir/usr/share/tcltk/tk8.6 \
    xvfb-run -a usr/games/tkscid try.tcl >log 2>&1 || true
touch seen
cat >good <<'EOF'
first: PGN text imported with no errors or warnings.
[Event "the \"Open\""]
1.e4 {good} {move} 1...e5 {or one comment, with a brace or without} 2.Nf3 Nc6 1-0
again: PGN text imported with no errors or warnings.
the same
EOF
cat >stated <<'EOF'
first: PGN text imported with no errors or warnings.
[Event "the "Open""]
1.e4 {goodmove} 1...e5 {see } one} 2.Nf3 Nc6 1-0
again: Errors/warnings importing PGN text:
[Event "the "Open""]
1.e4 {goodmove} 1...e5 {see} 1-0
EOF
echo "expected:"
cat good
echo "seen:"
cat seen
cmp -s seen stated || { echo "changed: this is not what was seen before:"; cat stated; exit 1; }
