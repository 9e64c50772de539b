#!/bin/bash
# A night as a Slurm job array: one task a shard, then one job that joins them.
#
#   export ASSAY_SEED=$(date +%Y%m%d) ASSAY_PROJECT=path/to/project ASSAY_NIGHT=/shared/nights/$(date +%Y%m%d)
#   sbatch --array=1-64 slurm.sh && sbatch --dependency=singleton slurm.sh merge
#
# The seed is fixed when the job is submitted: a night may end after midnight. A task that is killed or preempted, or whose node
# fails, is put back into the queue, and goes on where it was: the same command resumes.
#SBATCH --job-name=assay-night
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
project=${ASSAY_PROJECT:?the folder of the project}
night=${ASSAY_NIGHT:?a folder that all nodes share}
seed=${ASSAY_SEED:?the seed of the night}
history=${ASSAY_HISTORY:-$(dirname "$night")/failures.sqlite}
read -ra limit <<<"${ASSAY_LIMIT:---budget 60m}"
assay=${ASSAY:-assay}

if [ "${1:-}" = merge ]; then
  exec "$assay" merge --report "$night" --history "$history" "$night".shards/*
fi
mkdir -p "$night.shards"
srun "$assay" nightly --seed "$seed" "${limit[@]}" --jobs "$SLURM_CPUS_PER_TASK" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --history "$history" --report "$night.shards/$SLURM_ARRAY_TASK_ID" "$project"
code=$?
[ "$code" -eq 1 ] || exit "$code" # 1: a derivative is wrong, which the merged report tells.
