#!/bin/bash
# A night as a Slurm job array: one task a shard, then one job that joins them. Edit the three lines below, then
#
#   sbatch --array=1-64 slurm.sh && sbatch --dependency=singleton --job-name=assay-night slurm.sh merge
#
# A task that is killed or preempted is put back into the queue, and goes on where it was: the same command resumes.
#SBATCH --job-name=assay-night
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
project=path/to/project
night=/shared/nights/$(date +%Y%m%d)
seed=$(date +%Y%m%d)
assay=${ASSAY:-assay}

if [ "${1:-}" = merge ]; then
  exec "$assay" merge --report "$night" --history /shared/nights/failures.sqlite "$night".shards/*
fi
srun "$assay" nightly --seed "$seed" --budget 60m --jobs "$SLURM_CPUS_PER_TASK" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --history /shared/nights/failures.sqlite --report "$night.shards/$SLURM_ARRAY_TASK_ID" "$project"
code=$?
[ "$code" -eq 1 ] || exit "$code" # 1: a derivative is wrong, which the merged report tells.
