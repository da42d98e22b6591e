# Slurm on this machine alone, for the campaigns that source this behind lib.sh: configured and
# started in a folder of its own below $work, stopped by stop_slurm.

slurm_pids=

need_slurm()
{
    need munged slurmctld slurmd sbatch squeue sinfo
    [ "$(id -u)" -eq 0 ] || skip "only root can start Slurm"
}

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
    slurm_pids="$slurm_pids $!"
    slurmctld -D -c >"$slurm/slurmctld.out" 2>&1 &
    slurm_pids="$slurm_pids $!"
    slurmd -D -c >"$slurm/slurmd.out" 2>&1 &
    slurm_pids="$slurm_pids $!"
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

stop_slurm()
{
    for pid in $slurm_pids; do
        kill "$pid" 2>/dev/null || :
    done
    for pid in $slurm_pids; do
        wait "$pid" 2>/dev/null || :
    done
}

# Until no job is left: $1 half seconds at most.
wait_for_slurm()
{
    tries=0
    while [ -n "$(squeue --noheader 2>/dev/null)" ]; do
        tries=$((tries + 1))
        [ "$tries" -le "$1" ] || fail "the jobs do not end: $(squeue)"
        sleep 0.5
    done
}
