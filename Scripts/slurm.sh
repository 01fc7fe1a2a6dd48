#!/usr/bin/env bash
# Runs a batch on a real Slurm: slurmctld and slurmd on this machine, on loopback, with a generated configuration. One task is killed with
# signal 9 during the run and requeued; no issuer may be lost or checked twice.
#   slurm.sh [PROGRAM]        (default: .build/debug/oidc-preflight; as root)
# Exits with 75 and a message if Slurm cannot run here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(readlink -f "${1:-$root/.build/debug/oidc-preflight}")
not_run() {
    echo "** NOT RUN: the batch on Slurm, because $1. **" >&2
    exit 75
}
export PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || not_run "slurmd needs root"
for name in slurmctld slurmd sbatch scancel squeue munged python3; do
    command -v "$name" >/dev/null || not_run "$name is not installed (Debian: slurmctld slurmd slurm-client munge)"
done

work=$(mktemp -d /tmp/oidc-preflight-slurm.XXXXXX)
chmod 755 "$work"
pids=()
finish() {
    code=$?
    set +e
    [ "$code" = 0 ] || tail -n 20 "$work"/*.log >&2
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null; done
    # Other processes that the daemons started.
    for file in "$work"/*.pid; do [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null; done
    rm -rf "$work"
    exit "$code"
}
trap finish EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
wait_for() { # SECONDS COMMAND…
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || { echo "slurm.sh: timed out while waiting for: $*" >&2; return 1; }
        sleep 0.2
    done
}

# munged for a cluster of one node, with a key and a socket of its own.
mkdir -m 700 "$work/munge" && mkdir -m 755 "$work/socket" "$work/state" "$work/spool"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
munged --foreground --key-file="$work/munge/key" --socket="$work/socket/munge" --pid-file="$work/munged.pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" --num-threads=2 >"$work/munged.log" 2>&1 &
pids+=($!)
wait_for 10 test -S "$work/socket/munge"

export SLURM_CONF=$work/slurm.conf
host=$(hostname -s)
cat >"$SLURM_CONF" <<CONF
ClusterName=fleet
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
# A requeued task waits until its credentials expire: two minutes, unless this sets another time.
AuthInfo=socket=$work/socket/munge,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
JobRequeue=1
KillWait=2
MinJobAge=60
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1024 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
slurmctld -D -i >"$work/controller.log" 2>&1 &
pids+=($!)
slurmd -D >"$work/node.log" 2>&1 &
pids+=($!)
wait_for 30 sh -c 'sinfo -h -o %T | grep -qE "idle|mixed"'

# 40 issuers, each on its own host, slow enough to kill a task during the run.
python3 "$root/Tests/FleetTests/issuers.py" "$work" >"$work/issuers.log" 2>&1 &
pids+=($!)
wait_for 10 test -e "$work/port"
port=$(cat "$work/port")
for number in $(seq 1 40); do echo "http://127.0.0.$number:$port/delay-250-$number"; done >"$work/issuers.txt"

export OIDC_PREFLIGHT=$program
job=$(sbatch --parsable --array=1-4 --mem=0 --cpus-per-task=1 --chdir="$work" --output="$work/task-%a.log" \
    "$root/Deploy/slurm/fleet.sbatch" "$work/issuers.txt" "$work/results" --concurrency 1)
# Kill the process of a shard after some results, as the kernel does when memory runs out; the batch script then requeues the task.
results=$work/results/$job
victim=
end=$((SECONDS + 60))
while [ -z "$victim" ] && [ $SECONDS -lt $end ]; do
    sleep 0.1
    for part in 1 2 3 4; do
        lines=$(wc -l 2>/dev/null <"$results/part-$part.jsonl") || continue
        [ "$lines" -ge 2 ] || continue
        pid=$(pgrep -f -- "fleet $work/issuers.txt --out $results/part-$part.jsonl" | while read -r pid; do
            [ "$(readlink -f "/proc/$pid/exe")" = "$program" ] && echo "$pid"
        done | head -1)
        [ -n "$pid" ] && kill -9 "$pid" && victim=$part && before=$(wc -l <"$results/part-$part.jsonl") && break
    done
done
[ -n "$victim" ] || { echo "slurm.sh: no part could be killed during the run" >&2; exit 1; }
wait_for 60 sh -c "[ \$(wc -l <'$results/part-$victim.jsonl') -gt $before ]"
wait_for 120 sh -c "! squeue -h -r -t pending,running,completing,requeued -j $job 2>/dev/null | grep -q ."

# The parts together must contain each issuer once.
promised=$(wc -l <"$work/issuers.txt")
checked=$(cat "$results"/part-*.jsonl | grep -c '"type":"result"')
distinct=$(cat "$results"/part-*.jsonl | grep -o '"issuer":"[^"]*","profile"' | sort -u | wc -l)
after=$(wc -l <"$results/part-$victim.jsonl")
echo "slurm: $promised issuers in 4 parts; part $victim was killed with $((before - 1)) results and now has $((after - 1))"
[ "$checked" = "$promised" ] && [ "$distinct" = "$promised" ] && [ "$after" -gt "$before" ] || {
    echo "slurm.sh: $checked results for $distinct issuers, expected $promised" >&2
    exit 1
}
"$program" fleet merge "$results"/part-*.jsonl --database "$work/fleet.sqlite" >"$work/merge.log" || [ $? -le 2 ]
cat "$work/merge.log"
grep -q "^$promised results: " "$work/merge.log" && ! grep -q missing "$work/merge.log"
echo "slurm: no issuer was lost, and none was checked twice"
