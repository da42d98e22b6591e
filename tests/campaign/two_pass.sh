#!/bin/sh
# Builds in two passes over the games and in one, which have to give the same bytes.
#   two_pass.sh MAKEBOOK [GAMES [KILLS]]
# GAMES (4000) made-up games, some of them twice, some with faults: books and statistics of several
# minimums, by several numbers of threads and sizes of memory, with what counts in parts, mirrored,
# with sample games. KILLS (3) times a build is killed and run again. What cannot be done in two
# passes is refused by one line.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [GAMES [KILLS]]" >&2; exit 2; }
makebook=$1
games=${2:-4000}
kills=${3:-3}
need gzip mkfifo
start_work
cd "$work"

campaign_games "$games" >one.pgn
# More games, the half of which are those of before; wrong moves, a comment that does not end.
make_games "$games" 2 | awk '/^1\./ && ++n % 50 == 0 { sub(/ [KQRBN][a-h][1-8]/, " Kh9") }
    /^1\./ && n % 77 == 0 { $0 = $0 " {" } { print }' | gzip -1 >two.pgn.gz
head -c $(($(stat -c %s one.pgn) / 2)) one.pgn >three.pgn
set -- one.pgn two.pgn.gz three.pgn

compare() # NAME OPTIONS...: the same file by one pass and by two
{
    name=$1
    shift
    rm -f "one-$name"* "two-$name"*
    "$makebook" build one.pgn two.pgn.gz three.pgn -o "one-$name" -q "$@" || fail "one pass: $*"
    for how in '1 1' '2 1' '7 1' '2 3' '1 64'; do
        jobs=${how% *}
        memory=${how#* }
        "$makebook" build one.pgn two.pgn.gz three.pgn -o "two-$name" --two-pass -q \
            "$@" --jobs "$jobs" --memory "$memory" || fail "two passes: $*"
        same "one-$name" "two-$name" || fail "$*: other bytes by $jobs threads, $memory MB"
        [ ! -e "one-$name.games" ] || same "one-$name.games" "two-$name.games" ||
            fail "$*: other sample games by $jobs threads, $memory MB"
    done
}

compare book.bin --max-ply 20
compare book.bin --max-ply 60 --min-games 2 --keep-duplicates
compare book.bin --max-ply 60 --min-games 9 --weight wilson
compare book.bin --min-games 20
compare book.bin --min-games 100
compare book.bin --elo-weight 200 --elo-reference 2400 --elo-unknown 2300 --min-games 2
compare sums.wld --min-games 2
compare sums.wld --min-games 5 --facets none --mirror
compare sums.wld --min-games 3 --samples 2
compare sums.wld --min-games 18 --elo-weight 200 --elo-reference 2400 --elo-unknown 2300

# What it says of itself.
"$makebook" build "$@" -o two.bin --two-pass >report
grep -q '^  not counted .* of [0-9]* plies: too few games, by a first pass in ' report ||
    fail "the report says nothing of two passes"
"$makebook" build "$@" -o two.bin --two-pass --json | grep -q '"plies_skipped": [1-9]' ||
    fail "the report in JSON says nothing of two passes"

refused() # WHAT OPTIONS...
{
    what=$1
    shift
    status=0
    "$makebook" build "$@" --two-pass 2>errors >/dev/null || status=$?
    [ "$status" -eq 2 ] && grep -q -e "$what" errors && [ "$(wc -l <errors)" -eq 1 ] ||
        fail "$*: status $status, $(cat errors)"
}
mkfifo pipe.pgn
refused 'reads games twice: pipe.pgn is no file' pipe.pgn -o no.bin
refused 'reads games twice: standard input is no file' - -o no.bin </dev/null
refused '--stats and --add-to keep every move' one.pgn -o no.bin --stats no.wld
refused '--stats and --add-to keep every move' one.pgn --add-to no.wld
refused 'needs --min-games of 2 or more' one.pgn -o no.bin --min-games 1
refused 'needs --min-games of 2 or more' one.pgn -o no.wld
refused '--updatable needs every move' one.pgn -o no.wld --min-games 2 --updatable
[ ! -e no.bin ] && [ ! -e no.wld ] || fail "a build that was refused left something"

mkdir temporary out
"$makebook" build "$@" -o right.bin --memory 1 -q
for kill in $(seq "$kills"); do
    rm -f out/*
    "$makebook" build "$@" -o out/book.bin --memory 1 --two-pass --temp temporary -q &
    victim=$!
    sleep "$(awk -v n="$kill" -v all="$kills" 'BEGIN { print 0.6 * n / all }')"
    kill -KILL "$victim" 2>/dev/null || :
    wait "$victim" 2>/dev/null || :
    [ ! -e out/book.bin ] || same out/book.bin right.bin || fail "killed: half a book"
    [ -z "$(ls -A temporary)" ] || fail "killed: left in the temporary folder: $(ls -A temporary)"
    "$makebook" build "$@" -o out/book.bin --memory 1 --two-pass --temp temporary -q
    same out/book.bin right.bin || fail "other bytes after a kill"
done
echo "$campaign: the same bytes by one pass and by two; $kills times killed and run again"
