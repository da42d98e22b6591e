#!/bin/sh
# Counts shards under a scheduler, adds them up, and compares with one run over all the games.
#   scale.sh MAKEBOOK plain|parallel|slurm [SHARDS]
# plain: one shard after the other. parallel: GNU parallel.
# slurm: Slurm on this machine alone, configured and started for the
# campaign in a folder of its own (needs root, munged, slurmctld and slurmd) and stopped afterwards.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/slurm.sh"
[ $# -ge 2 ] || { echo "usage: $0 MAKEBOOK plain|parallel|slurm [SHARDS]" >&2; exit 2; }
MAKEBOOK=$(cd "$(dirname "$1")" && pwd)/${1##*/}
export MAKEBOOK
how=$2
shards=${3:-8}
scripts=$here/../../book/count/scale
campaign=$campaign-$how
case $how in
plain) ;;
parallel) need parallel ;;
slurm) need_slurm ;;
*) fail "neither plain, parallel nor slurm: $how" ;;
esac
start_work
clean_up()
{
    stop_slurm
}

counts="$work/the shards' counts" # a quote and a blank, as names have them
mkdir "$work/games" "$counts"
campaign_games 40000 >"$work/all.pgn"
# Shards of whole games, every game in one; a blank line before a line of tags ends the one before.
awk -v shards="$shards" -v size="$(stat -c %s "$work/all.pgn")" -v folder="$work/games" '
    /^\[Event "/ && bytes >= number * size / shards {
        if (out)
            close(out)
        out = folder "/" ++number ".pgn"
        print out
    }
    { bytes += length($0) + 1; print >out }' "$work/all.pgn" >"$work/lines"
[ "$(wc -l <"$work/lines")" -eq "$shards" ] || fail "there are not $shards shards"
# The last line may lack its end.
printf '%s' "$(cat "$work/lines")" >"$work/list"
if [ "$how" = plain ]; then # a name that begins as an option does
    cd "$work/games"
    mv 1.pgn ./-1.pgn
    sed -i '1s/.*/-1.pgn/' "$work/list"
fi

options="--max-ply 60 --memory 8"
"$MAKEBOOK" build "$work/all.pgn" --stats "$work/right.wld" --keep-duplicates --max-ply 60 -q
if [ "$how" = plain ]; then
    number=1
    while [ "$number" -le "$shards" ]; do
        # shellcheck disable=SC2086
        "$scripts/shard.sh" "$work/list" "$counts" "$number" $options -q
        number=$((number + 1))
    done
    "$scripts/reduce.sh" "$work/list" "$counts" "$work/merged.wld" >"$work/log"
elif [ "$how" = parallel ]; then
    # shellcheck disable=SC2086
    "$scripts/parallel.sh" "$work/list" "$counts" "$work/merged.wld" $options >"$work/log"
else
    start_slurm
    export MEMORY=8
    jobs=$("$scripts/slurm.sh" "$work/list" "$counts" "$work/merged.wld" --max-ply 60)
    echo "$campaign: array and sum are jobs $jobs"
    wait_for_slurm 600
    [ -e "$work/merged.wld" ] || fail "no sum: $(cat "$counts"/*.log)"
fi
count=$(find "$counts" -name '[0-9]*.wld' | wc -l)
[ "$count" -eq "$shards" ] || fail "$count shards counted instead of $shards"
same "$work/merged.wld" "$work/right.wld" || fail "the sum differs from one run over everything"
echo "$campaign: $shards shards, $(stat -c %s "$work/all.pgn") bytes of games: the sum is the" \
    "$(stat -c %s "$work/merged.wld") bytes of one run"
