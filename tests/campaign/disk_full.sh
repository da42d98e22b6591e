#!/bin/sh
# Lets the disk run full under makebook and looks at what it says and leaves. Needs root, for disks
# of a known size (tmpfs).
#   disk_full.sh MAKEBOOK
# The output, the statistics, temporary files, sums of merging, a converted book, standard output:
# each on disks of several sizes. Either all fits and is right; or the program ends with 1 and one
# line that names the place and the reason, the old output is as it was, and no file is left.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -eq 1 ] || { echo "usage: $0 MAKEBOOK" >&2; exit 2; }
makebook=$1
[ "$(id -u)" -eq 0 ] || skip "only root can mount a small disk"
need mount umount gzip
start_work
disk=$work/disk
mkdir "$disk" "$work/elsewhere"
clean_up()
{
    umount "$disk" 2>/dev/null || :
}
mount -t tmpfs -o size=64k tmpfs "$disk" 2>/dev/null || skip "cannot mount a tmpfs"
umount "$disk"

campaign_games 20000 >"$work/games.pgn"
gzip -c "$work/games.pgn" >"$work/games.pgn.gz"
options="--memory 1 --jobs 2 -q"
count="$makebook build $work/games.pgn $options"
build="$count --min-games 1"
packed="$makebook build $work/games.pgn.gz $options --min-games 1"
$build -o "$work/right.bin" --stats "$work/right.wld" --temp "$work/elsewhere"
# Enough files that merging them makes sums on disk when few may be open.
parts=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    make_games 2000 "$i" >"$work/part.pgn"
    "$makebook" build "$work/part.pgn" --stats "$work/part$i.wld" -q
    parts="$parts $work/part$i.wld"
done
# shellcheck disable=SC2086
"$makebook" merge $parts -o "$work/merged.wld" -q
printf 'what was there before' >"$work/old"

fitted=0
refused=0
# attempt WHAT FILE RIGHT COMMAND...: FILE is what the command writes on or off the disk.
attempt()
{
    what="$size, $1"
    file=$2
    right=$3
    shift 3
    status=0
    "$@" 2>"$work/errors" >"$work/stdout" || status=$?
    if [ "$status" -eq 0 ]; then
        same "$file" "$right" || fail "$what: done, but the file is wrong"
        fitted=$((fitted + 1))
    else
        [ "$status" -eq 1 ] || fail "$what: exit status $status"
        [ "$(wc -l <"$work/errors")" -eq 1 ] || fail "$what: not one line: $(cat "$work/errors")"
        grep -q 'No space left on device$' "$work/errors" || fail "$what: $(cat "$work/errors")"
        grep -q -F "$place" "$work/errors" || fail "$what: no place named: $(cat "$work/errors")"
        [ "$file" = /dev/null ] || same "$file" "$work/old" ||
            fail "$what: the old output has changed"
        refused=$((refused + 1))
    fi
    left=$(find "$disk" "$work/elsewhere" -type f ! -name 'out.*')
    [ -z "$left" ] || fail "$what: left behind: $left"
    rm -f "$disk"/out.* "$work/elsewhere"/out.*
    cp "$work/old" "$disk/out.bin"
    cp "$work/old" "$disk/out.wld"
    cp "$work/old" "$work/elsewhere/out.bin"
    cp "$work/old" "$work/elsewhere/out.wld"
}

# Few open files, so that merging needs temporary sums.
few()
(
    # shellcheck disable=SC3045
    ulimit -n 24
    "$@"
)

to_stdout()
{
    "$@" >"$disk/printed" || {
        status=$?
        rm -f "$disk/printed"
        return $status
    }
    mv "$disk/printed" "$work/printed"
}

"$makebook" dump "$work/right.bin" >"$work/right.txt"
sizes="64k 256k 1m 4m 16m"
[ -z "${CAXTON_SHORT_TESTS:-}" ] || sizes="64k 1m 16m"
for size in $sizes; do
    mount -t tmpfs -o "size=$size" tmpfs "$disk"
    cp "$work/old" "$disk/out.bin"
    cp "$work/old" "$disk/out.wld"
    cp "$work/old" "$work/elsewhere/out.bin"
    cp "$work/old" "$work/elsewhere/out.wld"
    place=$disk
    attempt "book" "$disk/out.bin" "$work/right.bin" \
        $build -o "$disk/out.bin" --temp "$work/elsewhere"
    attempt "statistics" "$disk/out.wld" "$work/right.wld" \
        $count --stats "$disk/out.wld" --temp "$work/elsewhere"
    attempt "book of both" "$disk/out.bin" "$work/right.bin" \
        $build -o "$disk/out.bin" --stats "$work/elsewhere/out.wld" --temp "$work/elsewhere"
    attempt "temporary files" "$work/elsewhere/out.bin" "$work/right.bin" \
        $build -o "$work/elsewhere/out.bin" --temp "$disk"
    attempt "temporary files, packed games" "$work/elsewhere/out.bin" "$work/right.bin" \
        $packed -o "$work/elsewhere/out.bin" --temp "$disk"
    attempt "all of it" "$disk/out.bin" "$work/right.bin" $build -o "$disk/out.bin" --temp "$disk"
    attempt "convert" "$disk/out.bin" "$work/right.bin" \
        "$makebook" convert "$work/right.wld" "$disk/out.bin" --min-games 1 -q
    # shellcheck disable=SC2086
    attempt "merge" "$disk/out.wld" "$work/merged.wld" \
        "$makebook" merge $parts -o "$disk/out.wld" -q
    # shellcheck disable=SC2086
    attempt "sums" "$work/elsewhere/out.wld" "$work/merged.wld" \
        few "$makebook" merge $parts -o "$work/elsewhere/out.wld" --temp "$disk" -q
    place="standard output"
    rm -f "$work/printed"
    cp "$work/old" "$work/printed"
    attempt "dump" "$work/printed" "$work/right.txt" to_stdout "$makebook" dump "$work/right.bin"
    umount "$disk"
done
[ "$fitted" -gt 0 ] && [ "$refused" -gt 0 ] || fail "all fitted, or nothing did: $fitted, $refused"
echo "$campaign: $((fitted + refused)) runs on disks of 64 KiB to 16 MiB: $fitted fitted," \
    "$refused refused with place and reason; nothing left"
