#!/bin/sh
# parallel.sh SHARDS DIR ARGUMENTS...: a night in shards on this machine, with GNU parallel where it is installed, else with
# xargs. DIR has the whole night, DIR.shards its parts; the same line again goes on with a night that was ended early.
#
#   parallel.sh 8 night --seed "$(date +%Y%m%d)" --budget 30m path/to/project
#
# --history FILE goes to the shards, which read it, and to merge, which changes it. The exit code is that of merge.
set -u
assay=${ASSAY:-assay}

if [ "$1" = shard ]; then # shard I N DIR ARGUMENTS...: what one process does.
  shard=$2 shards=$3 night=$4
  shift 4
  "$assay" nightly "$@" --shard "$shard/$shards" --report "$night.shards/$shard"
  [ $? -le 1 ] # 1 is a wrong derivative, which the merged report tells.
  exit
fi

shards=$1 night=$2
shift 2
mkdir -p "$night.shards"
if command -v parallel >/dev/null 2>&1; then
  seq "$shards" | parallel --will-cite -q --jobs "$shards" "$0" shard '{}' "$shards" "$night" "$@"
else
  seq "$shards" | xargs -P "$shards" -I '{}' "$0" shard '{}' "$shards" "$night" "$@"
fi || exit 2

history=
while [ $# -gt 0 ]; do
  case $1 in
  --history) history=$2 ;;
  --history=*) history=${1#--history=} ;;
  esac
  shift
done
for shard in $(seq "$shards"); do
  set -- "$@" "$night.shards/$shard"
done
exec "$assay" merge --report "$night" ${history:+--history "$history"} "$@"
