#!/bin/sh
# One book in three kinds of file, each of them the judge of the others: Perfect_2021 as Polyglot,
# Arena and ChessBase.
#   perfect.sh MAKEBOOK CAXTON Perfect_2021.7z
# Compares them move by move (the numbers are those of book/formats/README.md), converts each into
# every kind and opens what comes out, and lets the engine play from each. With CAXTON_SHORT_TESTS
# each kind is made of one of the three.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -eq 3 ] || { echo "usage: $0 MAKEBOOK CAXTON Perfect_2021.7z" >&2; exit 2; }
makebook=$(cd "$(dirname "$1")" && pwd)/${1##*/}
caxton=$(cd "$(dirname "$2")" && pwd)/${2##*/}
[ -e "$3" ] || {
    case ${CAXTON_REQUIRE_DATA:-0} in
    0 | "") skip "$3 is not there" ;;
    *) fail "$3 is not there" ;;
    esac
}
need 7z
start_work
7z x -y -o"$work" "$3" >/dev/null
bin=$work/Perfect_2021/BIN/Perfect2021.bin
abk=$work/Perfect_2021/ABK/Perfect2021.abk
ctg=$work/Perfect_2021/CTG/Perfect2021.ctg

# Entries "KEY MOVE WEIGHT" of a book of any kind, sorted; of ChessBase's in both colours.
entries()
{
    "$makebook" convert "$1" "$work/entries.bin" >/dev/null 2>&1
    "$makebook" dump --raw "$work/entries.bin" | awk '{ print $1, $2, $3 }' | sort
}
entries "$bin" >"$work/bin"
entries "$abk" >"$work/abk"
entries "$ctg" >"$work/ctg"

# expect WHAT NUMBER: the number of lines on standard input.
expect()
{
    number=$(wc -l)
    [ "$number" -eq "$2" ] || fail "$1: $number, not $2"
    echo "$campaign: $1: $2"
}
for kind in bin abk ctg; do
    cut -d ' ' -f 1,2 "$work/$kind" >"$work/$kind.moves"
    awk '$3 > 0 { print $1, $2 }' "$work/$kind" >"$work/$kind.played"
done
cd "$work"
expect "moves of the .bin" 5387 <bin.moves
comm -12 bin.moves abk.moves | expect "of these in the .abk" 5353
comm -23 bin.moves abk.moves | comm -12 - ctg.moves | expect "of the others in the .ctg" 34
comm -12 bin.moves ctg.played | expect "of those of the .bin played in the .ctg" 5359
comm -12 bin.moves ctg.moves | comm -23 - ctg.played | expect "known there, not played" 15
comm -23 bin.moves ctg.moves | expect "not there" 13
comm -13 bin.moves abk.moves | expect "moves of the .abk that the .bin lacks" 160
comm -13 bin.moves abk.moves | comm -12 - ctg.moves | expect "of these in the .ctg" 127

kinds="bin abk epd fen lines pgn tree"
for book in "$bin" "$abk" "$ctg"; do
    case ${CAXTON_SHORT_TESTS:+short}$book in
    short*.bin) kinds="abk epd fen" ;;
    short*.abk) kinds="lines pgn" ;;
    short*.ctg) kinds="bin tree" ;;
    esac
    for kind in $kinds; do
        "$makebook" convert "$book" "$work/out.$kind" >/dev/null 2>"$work/warnings" ||
            fail "$book does not become a .$kind: $(cat "$work/warnings")"
        "$makebook" show "$work/out.$kind" >/dev/null 2>&1 || fail "out.$kind shows nothing"
    done
    printf 'setoption name BookFile value %s\nposition startpos moves e2e4\ngo depth 1\nquit\n' \
        "$book" | "$caxton" >"$work/uci"
    grep -q "^info string book" "$work/uci" || fail "the engine does not play from $book"
    echo "$campaign: ${book##*/} becomes $kinds; the engine: $(grep '^bestmove' "$work/uci")"
done
