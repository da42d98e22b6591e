#!/usr/bin/env bash
# Kills makebook build at random moments and looks at what is left.
#   kill.sh MAKEBOOK [ROUNDS [SIGNAL_ROUNDS [SEED]]]
# ROUNDS (50) times SIGKILL, SIGNAL_ROUNDS (20) times each SIGTERM, SIGINT and SIGHUP. After each:
# - the output is what it was before (nothing, or an old file byte for byte), or whole and right;
# - nothing is left in the folder for temporary files, and beside the output nothing at all, but for
#   SIGKILL, which no program can answer: there the output's own temporary name may stay;
# - the exit status is the signal's, or 0 when it came too late;
# - the same command, run again, succeeds and gives the right bytes.
# Half of the moments lie anywhere in the run, half while the output is being written. With little
# memory, so that counts and fingerprints go to disk; from plain and packed games in turn.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [ROUNDS [SIGNAL_ROUNDS [SEED]]]" >&2; exit 2; }
makebook=$1
rounds=${2:-50}
signal_rounds=${3:-20}
seed=${4:-1}
env --default-signal=INT true 2>/dev/null || skip "env cannot reset signals here"
start_work
mkdir "$work/in" "$work/out" "$work/temp" "$work/right"

campaign_games 20000 >"$work/in/games.pgn"
inputs=("$work/in/games.pgn")
pack()
{
    need "$1"
    "$@" -c "$work/in/games.pgn" >"$work/in/games.pgn.$1"
    inputs+=("$work/in/games.pgn.$1")
}
pack gzip
pack zstd -q
pack xz -1
pack bzip2

# build INPUT FOLDER: becomes the program, which answers to signals though a shell starts what is in
# the background deaf to SIGINT.
build()
{
    exec env --default-signal=INT,HUP,TERM "$makebook" build "$1" -o "$2/book.bin" \
        --stats "$2/book.wld" --min-games 1 --memory 1 --jobs 2 --temp "$work/temp" -q
}

random() # MAX
{
    echo $((RANDOM * 32768 + RANDOM)) | awk -v max="$1" '{ print $1 / 1073741824 * max }'
}
RANDOM=$seed

(build "${inputs[0]}" "$work/right") || fail "an undisturbed run"
start=$(date +%s%N)
for input in "${inputs[@]}"; do
    rm -f "$work/out/"*
    (build "$input" "$work/out") || fail "an undisturbed run of $input"
    for name in book.bin book.wld; do
        same "$work/out/$name" "$work/right/$name" || fail "${input##*/} gives another $name"
    done
done
seconds=$(($(date +%s%N) - start))
seconds=$(awk -v ns="$seconds" -v n="${#inputs[@]}" 'BEGIN { print ns / 1e9 / n }')
echo "$campaign: $(stat -c %s "${inputs[0]}") bytes of games, ${#inputs[@]} inputs," \
    "$seconds s a run"

# What stands there must be right, or what was there before.
check_output() # NAME HAD_OLD WHAT
{
    local file=$work/out/$1
    if [ ! -e "$file" ]; then
        [ "$2" = no ] || fail "$3: the old $1 is gone"
        absent=$((absent + 1))
    elif same "$file" "$work/right/$1"; then
        whole=$((whole + 1))
    elif [ "$2" = yes ] && same "$file" "$work/old"; then
        old=$((old + 1))
    else
        fail "$3: $1 is neither whole nor what it was"
    fi
}

round() # SIGNAL NUMBER
{
    local name=$1 had_old=no status=0 pid left input what
    input=${inputs[$((RANDOM % ${#inputs[@]}))]}
    what="SIG$name round $2, ${input##*/}"
    rm -f "$work/out/"*
    if [ $((RANDOM % 2)) -eq 0 ]; then
        had_old=yes
        cp "$work/old" "$work/out/book.bin"
        cp "$work/old" "$work/out/book.wld"
    fi
    build "$input" "$work/out" &
    pid=$!
    if [ $(($2 % 2)) -eq 0 ]; then
        sleep "$(random "$seconds")"
    else
        while [ ! -e "$work/out/book.bin.$pid-0" ] && [ -e "/proc/$pid/exe" ]; do :; done
        sleep "$(random "$(awk -v s="$seconds" 'BEGIN { print s / 4 }')")"
    fi
    kill -s "$name" "$pid" 2>/dev/null || :
    wait "$pid" 2>/dev/null || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq $((128 + $(kill -l "$name"))) ] ||
        fail "$what: exit status $status"
    [ "$status" -eq 0 ] || killed=$((killed + 1))
    check_output book.bin "$had_old" "$what"
    check_output book.wld "$had_old" "$what"
    [ -z "$(ls -A "$work/temp")" ] ||
        fail "$what: left in the temporary folder: $(ls -A "$work/temp")"
    for left in "$work/out/"*; do
        case ${left##*/} in
        '*' | book.bin | book.wld) ;;
        book.bin."$pid"-* | book.wld."$pid"-*)
            [ "$name" = KILL ] || fail "$what: left behind: ${left##*/}"
            named=$((named + 1))
            rm "$left"
            ;;
        *) fail "$what: left behind: ${left##*/}" ;;
        esac
    done
    (build "$input" "$work/out") || fail "$what: the next run failed"
    same "$work/out/book.bin" "$work/right/book.bin" && same "$work/out/book.wld" \
        "$work/right/book.wld" || fail "$what: the next run gives other bytes"
}

printf 'what was there before' >"$work/old"
for name in KILL TERM INT HUP; do
    count=$signal_rounds
    [ $name != KILL ] || count=$rounds
    killed=0 absent=0 old=0 whole=0 named=0
    for ((i = 0; i < count; i++)); do
        round $name "$i"
    done
    [ "$killed" -gt 0 ] || [ "$count" -lt 10 ] || fail "no SIG$name came in time"
    printf '%s: %-4s %3d rounds, %d killed in time; ' "$campaign" $name "$count" "$killed"
    printf 'outputs: %d absent, %d old, %d whole, 0 partial; ' "$absent" "$old" "$whole"
    printf '%d named files left; every next run right\n' "$named"
done
