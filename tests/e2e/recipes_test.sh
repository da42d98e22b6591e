#!/bin/sh
# Runs the commands of "Five jobs", "A book for tournaments", "Openings for testing engines", "Which
# of two books?", "Your games and your repertoire", "Statistics that an engine has checked" and
# "Experience files of other engines" in the manual as they stand there, in an empty folder, with
# real games as the files that they name.
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
makebook build games.pgn -o new.bin --max-ply 8 --min-games 40 --min-score 45 -q 2>errors
said="1. d4 Nf6, the most played move there (68 % of the games), is left out: it scored"
grep -qF "$said" errors ||
    fail "nothing is said of 1. d4 Nf6: $(cat errors)"
cp old.bin mine.bin

echo "1. e4 c5 : 500" >my.txt
for white in A B; do
    printf '[Event "x"]\n[Round "1"]\n[White "%s"]\n[Black "%s"]\n[Result "1-0"]\n\n' $white \
        "$(echo $white | tr AB BA)"
    printf '1. e4 {book} e5 {book} 2. Nf3 {+0.30/12 0.5s} 1-0\n\n'
done >matches.pgn
awk '/^## / { on = /^## (Five jobs|A book for tour|Openings for test|Which of two|Your games)/ }
     /^```/ { shown = !shown }
     on && !shown && /^    (    |makebook|for|done)/ && sub(/^    /, "")' "$manual" >commands
[ "$(grep -c '^makebook' commands)" -ge 20 ] || fail "the manual has only: $(cat commands)"
. ./commands >output 2>errors
! grep "most played move" errors || fail "a recipe leaves out what is played most"

# main_moves BOOK STATISTICS LEAST [MOVES...]: what is played most in each position of the book in
# the first six plies to which LEAST games come must be in the book.
main_moves()
(
    book=$1 stats=$2 least=$3
    shift 3
    "$MAKEBOOK" show "$stats" "$@" --json |
        sed -n 's/.*"san": "\([^"]*\)".*"games": \([0-9]*\),.*/\2 \1/p' | sort -rn >"rows$#"
    "$MAKEBOOK" show "$book" "$@" --json >"moves$#" || fail "$book knows nothing after $*"
    [ "$(awk '{ sum += $1 } END { print sum + 0 }' "rows$#")" -ge "$least" ] || return 0
    most=$(sed -n '1s/.* //p' "rows$#")
    grep -qF "\"san\": \"$most\"" "moves$#" || fail "$book: $most is missing after $*"
    for san in $(awk -v least="$least" '$1 >= least { print $2 }' "rows$#"); do
        if [ $# -lt 5 ] && grep -qF "\"san\": \"$san\"" "moves$#"; then
            main_moves "$book" "$stats" "$least" "$@" "$san"
        fi
    done
)
main_moves tournament.bin strong.wld 20
main_moves 8moves.bin 8moves.wld 70
main_moves online.bin total.wld 70

[ "$(wc -l <suite.epd)" -ge 5 ] || fail "$(wc -l <suite.epd) openings in the suite"
"$MAKEBOOK" show white.bin e4 e6 d4 >show || fail "no reply of the database to 1. e4 e6 2. d4"
"$MAKEBOOK" show white.bin e4 c5 Nf3 >show || fail "no reply of the database to an own move"
makebook build 2025-0[1-5].pgn -o whole.wld --updatable --max-ply 30 -q
cmp whole.wld total.wld || fail "the update is not what one build counts"
for page in review learn; do
    grep -q '"kind": "gap"' $page.html || fail "$page.html marks no gap"
done
grep -q '"answered": true' learn.html || fail "grow answered nothing of the review"
! grep -q '"answered": true' review.html || fail "white.bin answers what it was reviewed for"
grep -q "  positions of the review, answered first" output || fail "grow answered nothing first"
grep -q "^answered  *[1-9][0-9]*  positions of the review" output || fail "learn answered nothing"
makebook show more.bin >show || fail "the answers to gaps did not become a book"
grep -q "^coverage: [0-9.]* of 100 games" output || fail "nothing is said about coverage"
grep -q " by a reply that the book does not answer: " output || fail "no game met a gap"
grep -q "^40 games: " output || fail "no match of two books"
grep -q " is deeper" output || fail "nothing is said about depth"
grep -q "^White: .* scores better" output || fail "nothing is said about results"
makebook show mine.bin e4 | grep -q "^d5 " || fail "mine.bin has no 1. e4 d5 that could be removed"
makebook show mended.bin e4 >show
! grep -q "^d5 " show || fail "1. e4 d5 is still in mended.bin"

# Evaluations and experience files, in a folder of their own: other games are meant there.
mkdir checked && cd checked
awk '/^##/ { on = /^### Experience files/ || /^## Statistics that an engine/ }
     on && /^    makebook/ && sub(/^    /, "")' "$manual" >commands
[ "$(grep -c . commands)" -ge 11 ] || fail "the manual has only: $(cat commands)"
makebook dropout -o x.bin --nodes 500 --max-positions 20 --start "1. e4 e5" -q
makebook convert x.bin.store SugaR.exp --to exp-sugar
makebook dropout -o y.bin --nodes 500 --max-positions 40 -q
makebook convert y.bin.store other.exp --to exp-sugar
if [ -f "${games%/*}/lichess_2025-05.pgn" ]; then
    cp "${games%/*}/lichess_2025-05.pgn" games.pgn
    fen="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    echo "{\"fen\":\"$fen\",\"evals\":[{\"pvs\":[{\"cp\":35,\"line\":\"c7c5\"}]," \
        "\"knodes\":39,\"depth\":30}]}" >lichess_db_eval.jsonl.zst # packed or not
    . ./commands >output 2>errors || fail "$(cat errors)"
    makebook show all.wld e4 --store evals.store | grep -q "^c5 .* -0.35 *30 " ||
        fail "the published evaluation is not shown"
    makebook show experience.exp e4 e5 >show || fail "nothing after 1. e4 e5 in experience.exp"
fi
cd ..

# What memory cannot hold is refused at once, and can still be counted. Not all builds start in so
# little memory: those with sanitizers do not.
limit=32000
if (ulimit -v $limit && "$MAKEBOOK" --version) >/dev/null 2>&1; then
    (ulimit -v $limit && ! "$MAKEBOOK" stats total.wld) >said 2>&1 || fail "stats in 32 MB"
    grep -q "moves take [0-9]* MB of memory here, and no more than 32 MB are there" said ||
        fail "$(cat said)"
    (ulimit -v $limit && makebook stats total.wld --counts) >said || fail "stats --counts in 32 MB"
    # An empty frame of zstd whose window is 128 MB: that is not damaged.
    printf '\050\265\057\375\000\210\001\000\000' >window.zst
    (ulimit -v $limit && ! "$MAKEBOOK" show window.zst) >said 2>&1 || fail "a window in 32 MB"
    grep -Eq "window.zst: (out of memory|.* built without)" said || fail "$(cat said)"
fi
