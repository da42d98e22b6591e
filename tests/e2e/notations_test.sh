#!/bin/sh
# Games in each notation that pgn-extract writes build the same bytes as in the standard one.
#   notations_test.sh MAKEBOOK GAMES.pgn
set -eu
makebook=$1
games=$2
PATH=$PATH:/usr/games # where Debian has it
command -v pgn-extract >/dev/null || { echo "no pgn-extract" >&2; exit 77; }
[ -s "$games" ] || { echo "no $games" >&2; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for notation in san lalg halg xlalg elalg uci; do
    pgn-extract -s -w 1000 -W$notation "$games" >"$scratch/$notation.pgn"
    "$makebook" build "$scratch/$notation.pgn" -o "$scratch/$notation.bin" --min-games 1 \
        >"$scratch/$notation.report"
    used=$(sed -n 's/^games used  *\([0-9]*\)$/\1/p' "$scratch/$notation.report")
    [ "${used:-0}" -gt 100 ] && cmp "$scratch/san.bin" "$scratch/$notation.bin" || {
        echo "-W$notation:" >&2
        cat "$scratch/$notation.report" >&2
        exit 1
    }
done
