#!/bin/sh
# Merges more statistics files than may be open at once.
#   merge_many.sh MAKEBOOK [FILES [OPEN_FILES]]
# FILES (2000) small ones with at most OPEN_FILES (64) open: the same bytes as one run over all the
# games, in any order, packed or not.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [FILES [OPEN_FILES]]" >&2; exit 2; }
makebook=$1
files=${2:-2000}
open=${3:-64}
need gzip
start_work
mkdir "$work/parts" "$work/temp"

campaign_games $((4 * files)) >"$work/games.pgn"
# Every file gets games from all over the input.
awk -v files="$files" -v folder="$work/parts" '
    /^\[Event "/ {
        if (out)
            close(out)
        out = sprintf("%s/%05d.pgn", folder, games++ % files)
    }
    { print >>out }' "$work/games.pgn"
for part in "$work/parts/"*.pgn; do
    "$makebook" build "$part" --stats "${part%.pgn}.wld" --keep-duplicates --memory 1 -j 1 -q
    rm "$part"
done
"$makebook" build "$work/games.pgn" --stats "$work/right.wld" --keep-duplicates -q

merge() # OUTPUT FILES...
(
    # shellcheck disable=SC3045
    ulimit -n "$open"
    output=$1
    shift
    "$makebook" merge "$@" -o "$output" --temp "$work/temp" -q
)

merge "$work/merged.wld" "$work/parts/"*.wld
same "$work/merged.wld" "$work/right.wld" || fail "other bytes than of one run"
# shellcheck disable=SC2046
merge "$work/merged.wld" $(ls -r "$work/parts/"*.wld)
same "$work/merged.wld" "$work/right.wld" || fail "other bytes in reverse order"
gzip -1 "$work/parts/"*1.wld
merge "$work/merged.wld" "$work/parts/"*
same "$work/merged.wld" "$work/right.wld" || fail "other bytes of packed files"

# A damaged file among them is named, and the old output stays.
victim=$(ls "$work/parts/"*2.wld | tail -n 1)
printf '~' | dd of="$victim" bs=1 seek=60 conv=notrunc 2>/dev/null
printf 'old' >"$work/merged.wld"
status=0
merge "$work/merged.wld" "$work/parts/"* 2>"$work/errors" || status=$?
[ "$status" -eq 1 ] || fail "a damaged file: exit status $status"
[ "$(wc -l <"$work/errors")" -eq 1 ] && grep -q -F "${victim##*/}: byte" "$work/errors" ||
    fail "a damaged file: $(cat "$work/errors")"
[ "$(cat "$work/merged.wld")" = old ] || fail "a damaged file: the old output has changed"
[ -z "$(ls -A "$work/temp")" ] || fail "left behind: $(ls -A "$work/temp")"
echo "$campaign: $files files with $open open at once: the bytes of one run, in any order"
