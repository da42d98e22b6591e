#!/usr/bin/env bash
# Grows a book by workers, and kills whatever takes part in it, again and again, at random moments.
#   kill_workers.sh MAKEBOOK ROGUE [KILLS [SEED]]
# KILLS (100) times SIGKILL, each when the store has grown by some random bytes: a worker (another
# one joins), the run itself (it is started again), the Redis server with all its data (it is
# started again, empty). Between them workers join that answer twice, differently, as another
# version, with illegal moves, with garbage, or never (ROGUE: queue_rogue). A run that comes to its
# end in spite of all begins anew. Each book is that of one machine, byte for byte, and every line
# that is printed is one of those that say what happened.
# Skips where there is no redis-server; with CAXTON_REQUIRE_TOOLS it fails then.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 2 ] || { echo "usage: $0 MAKEBOOK ROGUE [KILLS [SEED]]" >&2; exit 2; }
makebook=$1
rogue=$2
kills=${3:-100}
RANDOM=${4:-1}
record=68
need redis-server
start_work
url=unix://$work/socket/campaign
workers=()
run=
server=

clean_up()
{
    for pid in "${workers[@]}" $run $server; do
        kill -KILL "$pid" 2>/dev/null || :
    done
    wait 2>/dev/null || :
}

start_server()
{
    rm -f "$work/socket"
    redis-server --port 0 --unixsocket "$work/socket" --dir "$work" --save '' --appendonly no \
        >>"$work/server" 2>&1 &
    server=$!
    until [ -S "$work/socket" ]; do
        kill -0 "$server" 2>/dev/null || fail "the server does not start"
    done
}

# start_worker PLACE
start_worker()
{
    "$makebook" worker --queue "$url" --threads 1 --wait 0 -q 2>>"$work/worker-errors" &
    workers[$1]=$!
}

# options NAME
options()
{
    echo --against builtin -o "$work/$1.bin" --side both --depth 10 --min-depth 5 -q
}

start_run()
{
    # shellcheck disable=SC2046 # options without blanks
    "$makebook" grow $(options killed) --queue "$url" --queue-lost 1 2>>"$work/errors" &
    run=$!
}

size()
{
    stat -c %s "$work/killed.bin.store" 2>/dev/null || echo 0
}

# The run has ended: its book must be right. Begins anew.
end_run()
{
    local status=0
    wait "$run" || status=$?
    [ "$status" -eq 0 ] || { cat "$work/errors" >&2; fail "a run ended with $status"; }
    same "$work/killed.bin" "$work/right.bin" || fail "another book after $killed kills"
    builds=$((builds + 1))
    rm "$work/killed.bin" "$work/killed.bin.store"
}

# shellcheck disable=SC2046
"$makebook" grow $(options right) --threads 2 || fail "a run on one machine"
echo "$campaign: $((($(stat -c %s "$work/right.bin.store") - 112) / record)) records"

start_server
for place in 0 1 2; do
    start_worker "$place"
done
start_run
tricks=(twice differs stale illegal garbage silent fails)
tricked=0
killed=0
builds=0
killed_workers=0
killed_runs=0
killed_servers=0
while [ "$killed" -lt "$kills" ]; do
    until=$(($(size) + 1 + RANDOM % (12 * record)))
    if ((RANDOM % 3 == 0)); then
        # In turn; it may find the server gone.
        timeout 20 "$rogue" "$url" "${tricks[tricked++ % ${#tricks[@]}]}" 1 2>/dev/null || :
    fi
    while [ "$(size)" -lt "$until" ] && kill -0 "$run" 2>/dev/null; do :; done
    if ! kill -0 "$run" 2>/dev/null; then
        end_run
        start_run
        continue
    fi
    case $((RANDOM % 5)) in
    0 | 1 | 2)
        place=$((RANDOM % 3))
        kill -KILL "${workers[place]}"
        wait "${workers[place]}" 2>/dev/null || :
        start_worker "$place"
        killed_workers=$((killed_workers + 1))
        ;;
    3)
        kill -KILL "$run" 2>/dev/null || :
        status=0
        wait "$run" 2>/dev/null || status=$?
        # It may have come to its end a moment before.
        [ "$status" -eq 137 ] || [ "$status" -eq 0 ] || fail "a run ended with $status"
        start_run
        killed_runs=$((killed_runs + 1))
        ;;
    4)
        kill -KILL "$server"
        wait "$server" 2>/dev/null || :
        start_server
        killed_servers=$((killed_servers + 1))
        ;;
    esac
    killed=$((killed + 1))
done
end_run
expected="answers? is left out|search(es)? of lost workers|trying again\$|the run goes on\$"
expected="$expected|worker rogue-stale is refused: its answers are of Caxton"
expected="$expected|error: worker rogue-differs answers|such lines\$|the last record is cut"
expected="$expected|worker rogue-(illegal|fails): .* it is given to another one\$"
if grep -vE "$expected" "$work/errors"; then
    fail "another message"
fi
for part in 'error: worker rogue-differs answers' 'worker rogue-stale is refused: '; do
    ((tricked < ${#tricks[@]})) || grep -q "$part" "$work/errors" || fail "nobody says: $part"
done
echo "$campaign: $killed kills ($killed_workers workers, $killed_runs runs," \
    "$killed_servers servers), $tricked tricks, $builds builds: the same bytes"
