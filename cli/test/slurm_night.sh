#!/bin/bash
# slurm_night.sh ASSAY SCRIPT EXAMPLES: a night in four shards under a Slurm of its own, with two nodes on this machine, one of which
# is killed in the middle; it has to be the night that one process makes. Ends with 77 where there is no Slurm, or no root.
set -euo pipefail
assay="$(realpath "$1")" script="$(realpath "$2")" examples="$(realpath "$3")"
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" >/dev/null || PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done
PATH="$PATH:/usr/sbin"
((EUID == 0)) || { echo 'not root'; exit 77; }

work="$(mktemp -d)"
chmod 755 "$work"
stop() {
  for name in ctld one two munged; do
    [[ ! -e "$work/$name.pid" ]] || kill -9 "$(<"$work/$name.pid")" 2>/dev/null || true
  done
  pkill -9 -f "$work" 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

host="$(hostname -s)"
read -r port_ctld port_one port_two < <(python3 - <<'PYTHON'
import socket
held = [socket.socket() for _ in range(3)]
for one in held:
    one.bind(("", 0))
print(*(one.getsockname()[1] for one in held))
PYTHON
)
mkdir "$work"/{state,one,two,munge,home}
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 400 "$work/munge/key"
munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munged.pid" --log-file="$work/munge/log" \
  --seed-file="$work/munge/seed"
cat >"$work/slurm.conf" <<CONF
ClusterName=nights
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port_ctld
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/ctld.log
SlurmdLogFile=$work/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=10
ReturnToService=0
SchedulerParameters=sched_interval=2,batch_sched_delay=0
MinJobAge=3600
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=$port_one CPUs=1
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=$port_two CPUs=1
PartitionName=night Nodes=one,two Default=YES State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
slurmctld
slurmd -N one
slurmd -N two

mkdir "$work/project" && cp "$examples"/*.c "$work/project"
export ASSAY="$assay" ASSAY_SEED=7 ASSAY_PROJECT="$work/project" ASSAY_NIGHT="$work/night" ASSAY_LIMIT='--cases 24 --combinations 4'
cd "$work"
wait_for() { # SECONDS COMMAND...: until the command succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || { echo "waited in vain: $*"; squeue || true; tail -n 20 "$work"/*.log "$work"/slurm-*.out || true; exit 1; }
    sleep 1
  done
}
shard_is_under_way() { [[ "$(cat night.shards/*/records.jsonl 2>/dev/null | wc -l)" -ge 2 ]]; }
queue_is_empty() {
  local job
  for job in $(squeue --noheader --states=pending --format=%A); do # What is put back waits two minutes otherwise.
    scontrol update "JobId=$job" StartTime=now 2>/dev/null || true
  done
  [[ -z "$(squeue --noheader)" ]]
}
is_up() { [[ "$(sinfo --noheader --format=%T --nodes=one,two)" == idle ]]; }

wait_for 60 is_up
sbatch --array=1-4 --cpus-per-task=1 --mem=0 "$script"
wait_for 240 shard_is_under_way
jobs="$(squeue --noheader --nodelist=one --states=running --format=%A)"
[[ "$jobs" ]] || { echo 'nothing runs on the node'; exit 1; }
kill -9 "$(<one.pid)" # The node is gone, with all that ran there.
for job in $jobs; do
  pkill -9 -f "slurmstepd: \[$job\." || true
  for process in /proc/[0-9]*; do
    if tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qx "SLURM_JOB_ID=$job"; then
      kill -9 "${process#/proc/}" 2>/dev/null || true
    fi
  done
done
sbatch --dependency=singleton --cpus-per-task=1 --mem=0 "$script" merge
wait_for 600 queue_is_empty
grep -qi 'requeue.*node failure\|node.* one .*not responding\|one not responding' ctld.log
cat slurm-*.out

"$assay" nightly --seed 7 --cases 24 --combinations 4 --report "$work/alone" "$work/project" >/dev/null || (($? == 1))
"$assay" diff "$work/alone" "$work/night"
