#!/bin/bash
# slurm_night.sh ASSAY SCRIPT EXAMPLES: a night in four shards under a Slurm of its own, with two nodes on this machine, one of which
# is killed in the middle; it has to be the night that one process makes. Ends with 77 where there is no Slurm, or no root.
set -euo pipefail
assay="$(realpath "$1")" script="$(realpath "$2")" examples="$(realpath "$3")"
source "$(dirname "${BASH_SOURCE[0]}")/slurm_of_its_own.sh"

mkdir "$work/project" && cp "$examples"/*.c "$work/project"
export ASSAY="$assay" ASSAY_SEED=7 ASSAY_PROJECT="$work/project" ASSAY_NIGHT="$work/night" ASSAY_LIMIT='--cases 24 --combinations 4'
cd "$work"
night_with_a_lost_node "$script"

"$assay" nightly --seed 7 --cases 24 --combinations 4 --report "$work/alone" "$work/project" >/dev/null || (($? == 1))
"$assay" diff "$work/alone" "$work/night"
