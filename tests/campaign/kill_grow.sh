#!/usr/bin/env bash
# Kills makebook grow again and again, at random moments, and lets it go on each time.
#   kill_grow.sh MAKEBOOK [KILLS [SEED]]
# KILLS (100) times SIGKILL, each when the store has grown by some random bytes, with one to three
# threads in turn; every fifth time some bytes at the end of the store are cut off, too. A build
# that comes to its end in spite of them begins anew. Each book is that of an undisturbed run, byte
# for byte.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 1 ] || { echo "usage: $0 MAKEBOOK [KILLS [SEED]]" >&2; exit 2; }
makebook=$1
kills=${2:-100}
RANDOM=${3:-1}
record=68
start_work

# grow NAME THREADS
grow()
{
    exec "$makebook" grow --against builtin -o "$work/$1.bin" --side both --depth 9 --min-depth 5 \
        --threads "$2" -q
}

size()
{
    stat -c %s "$work/killed.bin.store" 2>/dev/null || echo 0
}

(grow right 2) || fail "an undisturbed run"
all=$(stat -c %s "$work/right.bin.store")
echo "$campaign: $(((all - 112) / record)) records"

killed=0
builds=0
while [ "$killed" -lt "$kills" ]; do
    until=$(($(size) + 1 + RANDOM % (3 * record)))
    grow killed $((killed % 3 + 1)) 2>>"$work/errors" &
    child=$!
    while [ "$(size)" -lt "$until" ] && kill -0 "$child" 2>/dev/null; do :; done
    kill -KILL "$child" 2>/dev/null || :
    status=0
    wait "$child" 2>/dev/null || status=$?
    if [ "$status" -eq 0 ]; then # it was done before: once more from nothing
        same "$work/killed.bin" "$work/right.bin" || fail "another book after $killed kills"
        builds=$((builds + 1))
        rm "$work/killed.bin" "$work/killed.bin.store"
        continue
    fi
    [ "$status" -eq 137 ] || fail "a build ended with $status"
    killed=$((killed + 1))
    [ ! -e "$work/killed.bin" ] || same "$work/killed.bin" "$work/right.bin" ||
        fail "kill $killed left another book"
    if ((killed % 5 == 0)); then
        cut=$((RANDOM % (2 * record)))
        truncate -s "-$cut" "$work/killed.bin.store"
    fi
done
if grep -vE 'the last (record is cut|graph is not whole): run again what made it$' "$work/errors"
then
    fail "another message"
fi
(grow killed 2) 2>/dev/null || fail "the run after $kills kills"
same "$work/killed.bin" "$work/right.bin" || fail "another book after $kills kills"
echo "$campaign: $killed kills in $((builds + 1)) builds: the same bytes"
