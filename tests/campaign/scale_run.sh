#!/bin/sh
# Counts made-up games by the million, which no disk has to hold, and says what that took.
#   scale_run.sh MAKEBOOK GENERATE STATISTICS.wld GAMES [SHARDS [plain|parallel|slurm]]
# GENERATE is build/tests/campaign_generate. The games are made of STATISTICS, or of real games,
# FILE.pgn, or ("made") of those of games.awk. First one run over all of them through a pipe; then,
# if SHARDS are asked for, the same games in SHARDS parts
# (plain: one after the other; parallel: GNU parallel; slurm: Slurm on this machine), some of which
# are killed and counted again, and added up: the bytes are those of the one run.
# $MONTHS: the games have ratings, time controls and dates of so many months.
# $MEMORY (256): --memory. $JOBS: threads of the one run. $PLIES (60): --max-ply. $SEED (1).
# $KEEP: where the statistics of the one run go; else they go with the rest, before the shards.
# $SUM: their SHA-256, from an earlier run, which is then not repeated. $TMPDIR takes all files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/slurm.sh"
[ $# -ge 4 ] || {
    echo "usage: $0 MAKEBOOK GENERATE STATISTICS.wld GAMES [SHARDS [plain|parallel|slurm]]" >&2
    exit 2
}
absolute()
{
    echo "$(cd "$(dirname "$1")" && pwd)/${1##*/}"
}
MAKEBOOK=$(absolute "$1")
GENERATE=$(absolute "$2")
MADE_OF=$3
[ "$MADE_OF" = made ] || MADE_OF=$(absolute "$3")
GAMES=$4
SHARDS=${5:-0}
how=${6:-plain}
SEED=${SEED:-1}
PLIES=${PLIES:-60}
MEMORY=${MEMORY:-256}
MONTHS=${MONTHS:-}
export MAKEBOOK GENERATE MADE_OF GAMES SHARDS SEED PLIES MEMORY MONTHS
case $how in
plain) ;;
parallel) need parallel ;;
slurm) need_slurm ;;
*) fail "neither plain, parallel nor slurm: $how" ;;
esac
watcher=
clean_up()
{
    [ -z "$watcher" ] || kill "$watcher" 2>/dev/null || :
    stop_slurm
}
start_work
SHARD_FOLDER=$work/shards
export SHARD_FOLDER
mkdir "$SHARD_FOLDER" "$work/temporary"
if [ "$MADE_OF" = made ]; then
    make_games 2000 1 >"$work/real.pgn"
    MADE_OF=$work/real.pgn
fi
case $MADE_OF in
*.pgn)
    "$MAKEBOOK" build "$MADE_OF" --stats "$work/real.wld" --max-ply "$PLIES" -q
    MADE_OF=$work/real.wld
    ;;
esac

now()
{
    date +%s.%N
}

# The most that was used of the disk since it began: temporary files have no names there.
watch_disk()
{
    least=$(df --output=avail -B1 "$work" | tail -n 1)
    while :; do
        free=$(df --output=avail -B1 "$work" | tail -n 1)
        [ "$free" -ge "$least" ] || least=$free
        echo "$least" >"$work/least.new" && mv "$work/least.new" "$work/least"
        sleep 1
    done
}

sum_of()
{
    sha256sum "$1" | cut -d ' ' -f 1
}

one_run()
{
    free=$(df --output=avail -B1 "$work" | tail -n 1)
    watch_disk &
    watcher=$!
    start=$(now)
    "$GENERATE" "$MADE_OF" "$GAMES" "$SEED" ${MONTHS:+--months "$MONTHS"} |
        TMPDIR=$work/temporary "$MAKEBOOK" build - --stats "$work/one.wld" --keep-duplicates \
        --max-ply "$PLIES" --memory "$MEMORY" ${JOBS:+--jobs "$JOBS"} >"$work/one.log"
    end=$(now)
    kill "$watcher"
    watcher=
    grep -E '^(games|plies|moves|time|peak)' "$work/one.log"
    bytes=$(stat -c %s "$work/one.wld")
    least=$(cat "$work/least" 2>/dev/null || echo "$free")
    awk -v s="$start" -v e="$end" -v n="$GAMES" -v b="$bytes" -v d=$((free - least)) 'BEGIN {
    printf "one run: %d games, %.1f s with the generator, %.0f games/s; %.3f GB of statistics\n",
        n, e - s, n / (e - s), b / 1e9
    printf "disk, temporary files included (of the whole machine): %.3f GB at most\n", d / 1e9 }'
    SUM=$(sum_of "$work/one.wld")
    echo "SHA-256 $SUM"
    if [ -n "${KEEP:-}" ]; then
        mv "$work/one.wld" "$KEEP"
    else
        rm "$work/one.wld"
    fi
}

[ -n "${SUM:-}" ] || one_run
[ "$SHARDS" -gt 0 ] || exit 0

# One shard, number $1: there in full or not at all. Half of them are killed when they first run.
cat >"$work/shard.sh" <<'END'
#!/bin/sh
set -eu
out=$SHARD_FOLDER/$1.wld
[ ! -e "$out" ] || exit 0
count()
{
    "$GENERATE" "$MADE_OF" "$GAMES" "$SEED" "$1/$SHARDS" ${MONTHS:+--months "$MONTHS"} |
        "$MAKEBOOK" build - --stats "$out" --keep-duplicates --max-ply "$PLIES" \
        --memory "$MEMORY" --jobs 1 -q
}
if [ $(($1 % 2)) -eq 0 ] && [ ! -e "$SHARD_FOLDER/$1.killed" ]; then
    : >"$SHARD_FOLDER/$1.killed"
    # The program is killed as soon as half of its games have gone to it.
    half=$((GAMES / SHARDS / 2 + 1))
    mkfifo "$SHARD_FOLDER/$1.pipe"
    "$MAKEBOOK" build - --stats "$out" --keep-duplicates --max-ply "$PLIES" \
        --memory "$MEMORY" --jobs 1 -q <"$SHARD_FOLDER/$1.pipe" &
    victim=$!
    {
        "$GENERATE" "$MADE_OF" "$half" "$SEED" ${MONTHS:+--months "$MONTHS"}
        kill -KILL "$victim"
    } >"$SHARD_FOLDER/$1.pipe"
    wait "$victim" || :
    rm "$SHARD_FOLDER/$1.pipe"
    [ ! -e "$out" ] || exit 3
fi
count "$1"
END
chmod +x "$work/shard.sh"
start=$(now)
case $how in
plain)
    number=1
    while [ "$number" -le "$SHARDS" ]; do
        "$work/shard.sh" "$number"
        number=$((number + 1))
    done
    ;;
parallel) seq "$SHARDS" | parallel --will-cite --halt soon,fail=1 "$work/shard.sh" ;;
slurm)
    start_slurm
    sbatch --parsable --array="1-$SHARDS" --cpus-per-task=1 --mem="$((MEMORY + 256))M" \
        --output="$SHARD_FOLDER/%a.log" \
        --wrap="exec '$work/shard.sh' \"\$SLURM_ARRAY_TASK_ID\"" >/dev/null
    wait_for_slurm 172800
    ;;
esac
end=$(now)
count=$(find "$SHARD_FOLDER" -name '[0-9]*.wld' | wc -l)
[ "$count" -eq "$SHARDS" ] || fail "$count shards counted instead of $SHARDS"
killed=$(find "$SHARD_FOLDER" -name '*.killed' | wc -l)
merge_start=$(now)
"$MAKEBOOK" merge "$SHARD_FOLDER"/[0-9]*.wld -o "$work/all.wld" >/dev/null
merge_end=$(now)
[ "$(sum_of "$work/all.wld")" = "$SUM" ] || fail "the sum of the shards differs from the one run"
awk -v s="$start" -v e="$end" -v n="$SHARDS" -v k="$killed" -v a="$merge_start" -v b="$merge_end" \
    -v how="$how" 'BEGIN {
    printf "%d shards (%s), %d of them killed and counted again: %.1f s, merged in %.1f s: ",
        n, how, k, e - s, b - a
    print "the bytes of the one run" }'
