#!/bin/sh
# Runs the commands of "Five jobs" in the manual as they stand there, in an empty folder, with real
# games as the files that they name.
#   recipes_test.sh MAKEBOOK MANUAL GAMES
# 77: there are no such games.
set -eu
MAKEBOOK=$(cd "$(dirname "$1")" && pwd)/${1##*/}
manual=$(cd "$(dirname "$2")" && pwd)/${2##*/}
[ -f "$3" ] || { echo "recipes: skipped: $3 is not there"; exit 77; }
games=$(cd "$(dirname "$3")" && pwd)/${3##*/}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail()
{
    echo "recipes: FAILED: $*" >&2
    exit 1
}

# Two books that differ are no failure.
makebook()
{
    "$MAKEBOOK" "$@" || [ "$?$1" = 1diff ]
}

# The files that the manual names.
cp "$games" games.pgn
awk -v RS= '/^\[Event / { on = /\[White "Fischer/ } on { print $0 "\n" }' "$games" >mine.pgn
awk -v RS= '/^\[Event / { n++ } { print $0 "\n" >("2025-0" n % 5 + 1 ".pgn") }' games.pgn
makebook build games.pgn -o old.bin --max-ply 8 --min-games 20 -q
makebook build games.pgn -o new.bin --max-ply 8 --min-games 40 --min-score 45 -q
cp old.bin mine.bin

awk '/^## / { on = /^## Five jobs/ } on && sub(/^    /, "")' "$manual" >commands
[ "$(grep -c '^makebook' commands)" -ge 15 ] || fail "the manual has only: $(cat commands)"
. ./commands >output

[ "$(wc -l <suite.epd)" -ge 5 ] || fail "$(wc -l <suite.epd) openings in the suite"
"$MAKEBOOK" show white.bin e4 e6 d4 >show || fail "no reply of the database to 1. e4 e6 2. d4"
"$MAKEBOOK" show white.bin e4 c5 Nf3 >show || fail "no reply of the database to an own move"
makebook build 2025-0[1-5].pgn -o whole.wld --updatable --max-ply 30 -q
cmp whole.wld total.wld || fail "the update is not what one build counts"
grep -q " is deeper" output || fail "nothing is said about depth"
grep -q " scores better" output || fail "nothing is said about results"
makebook show mine.bin e4 | grep -q "^d5 " || fail "mine.bin has no 1. e4 d5 that could be removed"
makebook show mended.bin e4 >show
! grep -q "^d5 " show || fail "1. e4 d5 is still in mended.bin"

# What memory cannot hold is refused at once, and can still be counted. Not all builds start in so
# little memory: those with sanitizers do not.
limit=32000
if (ulimit -v $limit && "$MAKEBOOK" --version) >/dev/null 2>&1; then
    (ulimit -v $limit && ! "$MAKEBOOK" stats total.wld) >said 2>&1 || fail "stats in 32 MB"
    grep -q "moves take [0-9]* MB of memory here, and no more than 32 MB are there" said ||
        fail "$(cat said)"
    (ulimit -v $limit && makebook stats total.wld --counts) >said || fail "stats --counts in 32 MB"
fi
