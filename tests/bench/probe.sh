#!/bin/sh
# The time to look a position up in each kind of book that holds the same moves.
#   tests/bench/probe.sh MAKEBOOK GAMES [MIN_GAMES [FILES...]]
# Counts the games (PGN) into statistics of so many games a move (2), makes a book of every kind
# that makebook can write of them, and prints what makebook stats --probe measures, in nanoseconds.
# FILES are books to be measured beside them. One thread; the machine should be quiet.
set -eu
makebook=$1
games=$2
least=${3:-2}
[ $# -lt 3 ] && shift 2 || shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$makebook" build "$games" -o "$folder/book.wld" --max-ply 64 --min-games "$least" --quiet
"$makebook" convert "$folder/book.wld" "$folder/book.bin" --min-games 1 --weight games --quiet
kinds=$("$makebook" convert "$folder/book.bin" "$folder/none.none" 2>&1 |
    sed -n 's/.*--to says: \([a-z, -]*\);.*/\1/p' | tr -d ,)
for kind in $kinds; do
    [ "$kind" = bin ] || "$makebook" convert "$folder/book.bin" "$folder/book.$kind" \
        --to "$kind" --quiet 2>&1
done

printf '%-28s %10s %12s %12s %12s\n' kind moves bytes 'ns, known' 'ns, unknown'
for book in "$folder"/book.* "$@"; do
    "$makebook" stats "$book" --probe --json >"$folder/numbers"
    value() {
        sed -n "s/.*\"$1\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$folder/numbers"
    }
    format=$(sed -n 's/.*"format": "\([^"]*\)".*/\1/p' "$folder/numbers")
    moves=$(sed -n 's/.*, "moves": \([0-9]*\), "moves_never.*/\1/p' "$folder/numbers")
    printf '%-28s %10s %12s %12s %12s\n' "$format" "$moves" "$(wc -c <"$book")" \
        "$(value probe_ns)" "$(value probe_unknown_ns)"
done
