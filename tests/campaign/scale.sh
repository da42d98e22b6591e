#!/bin/sh
# Counts shards under a scheduler, adds them up, and compares with one run over all the games.
#   scale.sh MAKEBOOK plain|parallel|slurm [SHARDS]
# plain: one shard after the other. parallel: GNU parallel.
# slurm: Slurm on this machine alone, configured and started for the
# campaign in a folder of its own (needs root, munged, slurmctld and slurmd) and stopped afterwards.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -ge 2 ] || { echo "usage: $0 MAKEBOOK plain|parallel|slurm [SHARDS]" >&2; exit 2; }
MAKEBOOK=$(cd "$(dirname "$1")" && pwd)/${1##*/}
export MAKEBOOK
how=$2
shards=${3:-8}
scripts=$here/../../book/build/scale
campaign=$campaign-$how
case $how in
plain) ;;
parallel) need parallel ;;
slurm)
    need munged slurmctld slurmd sbatch squeue sinfo
    [ "$(id -u)" -eq 0 ] || skip "only root can start Slurm"
    ;;
*) fail "neither plain, parallel nor slurm: $how" ;;
esac
start_work
pids=
clean_up()
{
    for pid in $pids; do
        kill "$pid" 2>/dev/null || :
    done
    for pid in $pids; do
        wait "$pid" 2>/dev/null || :
    done
}

mkdir "$work/games" "$work/shards"
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

start_slurm()
{
    slurm=$work/slurm
    mkdir -m 700 "$slurm" "$slurm/state" "$slurm/spool" "$slurm/munge"
    chmod 755 "$work" "$slurm" "$slurm/munge" # munged wants to be reachable
    dd if=/dev/urandom of="$slurm/munge/key" bs=128 count=1 2>/dev/null
    chmod 600 "$slurm/munge/key"
    host=$(hostname -s)
    cat >"$slurm/slurm.conf" <<END
ClusterName=campaign
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
MailProg=/bin/true
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdTimeout=600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=60 State=UP
END
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    munged --foreground --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" \
        --seed-file="$slurm/munge/seed" \
        >"$slurm/munged.out" 2>&1 &
    pids="$pids $!"
    slurmctld -D -c >"$slurm/slurmctld.out" 2>&1 &
    pids="$pids $!"
    slurmd -D -c >"$slurm/slurmd.out" 2>&1 &
    pids="$pids $!"
    tries=0
    until sinfo --noheader --format=%t 2>/dev/null | grep -q idle; do
        tries=$((tries + 1))
        [ "$tries" -le 120 ] || {
            tail -n 20 "$slurm"/*.out >&2
            fail "Slurm does not start"
        }
        sleep 0.5
    done
}

options="--max-ply 60 --memory 8"
"$MAKEBOOK" build "$work/all.pgn" --stats "$work/right.wld" --keep-duplicates --max-ply 60 -q
if [ "$how" = plain ]; then
    number=1
    while [ "$number" -le "$shards" ]; do
        # shellcheck disable=SC2086
        "$scripts/shard.sh" "$work/list" "$work/shards" "$number" $options -q
        number=$((number + 1))
    done
    "$scripts/reduce.sh" "$work/list" "$work/shards" "$work/merged.wld" >"$work/log"
elif [ "$how" = parallel ]; then
    # shellcheck disable=SC2086
    "$scripts/parallel.sh" "$work/list" "$work/shards" "$work/merged.wld" $options >"$work/log"
else
    start_slurm
    export MEMORY=8
    jobs=$("$scripts/slurm.sh" "$work/list" "$work/shards" "$work/merged.wld" --max-ply 60)
    echo "$campaign: array and sum are jobs $jobs"
    tries=0
    while [ -n "$(squeue --noheader 2>/dev/null)" ]; do
        tries=$((tries + 1))
        [ "$tries" -le 600 ] || fail "the jobs do not end: $(squeue)"
        sleep 0.5
    done
    [ -e "$work/merged.wld" ] || fail "no sum: $(cat "$work/shards/"*.log)"
fi
count=$(find "$work/shards" -name '[0-9]*.wld' | wc -l)
[ "$count" -eq "$shards" ] || fail "$count shards counted instead of $shards"
same "$work/merged.wld" "$work/right.wld" || fail "the sum differs from one run over everything"
echo "$campaign: $shards shards, $(stat -c %s "$work/all.pgn") bytes of games: the sum is the" \
    "$(stat -c %s "$work/merged.wld") bytes of one run"
