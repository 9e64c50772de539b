#!/bin/bash
# A Slurm of its own with two nodes, `one` and `two`, on this machine, to be sourced: `work` is a folder that goes when the script
# ends. The script ends with 77 where there is no Slurm, or no root.
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" >/dev/null || PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done
PATH="$PATH:/usr/sbin"
((EUID == 0)) || { echo 'not root'; exit 77; }

# VARIABLE=VALUE: every process that has it in its surroundings, but for this one.
kill_those_with() {
  local process
  for process in /proc/[0-9]*; do
    if [[ "${process#/proc/}" != "$$" && "${process#/proc/}" != "$BASHPID" ]] &&
      tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxF "$1"; then
      kill -9 "${process#/proc/}" 2>/dev/null || true
    fi
  done
}
work="$(mktemp -d)"
chmod 755 "$work"
stop() {
  for name in ctld one two munged; do
    [[ ! -e "$work/$name.pid" ]] || kill -9 "$(<"$work/$name.pid")" 2>/dev/null || true
  done
  kill_those_with "SLURM_CONF=$work/slurm.conf"
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
# Numbers of jobs that no other Slurm of this machine has.
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
FirstJobId=$port_ctld
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=$port_one CPUs=1
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=$port_two CPUs=1
PartitionName=night Nodes=one,two Default=YES State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
slurmctld
slurmd -N one
slurmd -N two

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
# The first node is gone in the middle of a night, with all that runs there.
kill_node_one() {
  local jobs job process
  jobs="$(squeue --noheader --nodelist=one --states=running --format=%A)"
  [[ "$jobs" ]] || { echo 'nothing runs on the node'; exit 1; }
  kill -9 "$(<"$work/one.pid")"
  for job in $jobs; do
    for process in /proc/[0-9]*; do # Its steps are children of the node no longer.
      if tr '\0' ' ' 2>/dev/null <"$process/cmdline" | grep -q "^slurmstepd: \[$job\."; then
        kill -9 "${process#/proc/}" 2>/dev/null || true
      fi
    done
    kill_those_with "SLURM_JOB_ID=$job"
  done
}
# SCRIPT: a night in four shards, one node of which is killed in the middle, and its merge. In the folder `work`.
night_with_a_lost_node() {
  wait_for 60 is_up
  sbatch --array=1-4 --cpus-per-task=1 --mem=0 "$1"
  wait_for 240 shard_is_under_way
  kill_node_one
  sbatch --dependency=singleton --cpus-per-task=1 --mem=0 "$1" merge
  wait_for 600 queue_is_empty
  grep -qi 'requeue.*node failure\|node.* one .*not responding\|one not responding' ctld.log
  cat slurm-*.out
}
