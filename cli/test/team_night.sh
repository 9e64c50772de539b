#!/bin/bash
# team_night.sh ASSAY SCRIPT PROJECT: what a team does with the sample project. It is checked by its build; its night, in four shards
# under Slurm, one of whose nodes is killed, is compared with an earlier one, between which a rule became wrong; the failure is
# replayed, and its commit is found. Ends with 77 where there is no Slurm, or no root.
set -euo pipefail
assay="$(realpath "$1")" script="$(realpath "$2")" sample="$(realpath "$3")"
source "$(dirname "${BASH_SOURCE[0]}")/slurm_of_its_own.sh"
cd "$work"

export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
cp -r "$sample" project
commit() { git -C project add -A && git -C project commit -q -m "$1"; }
expect() { # CODE COMMAND...
  local code=0 expected=$1
  shift
  "$@" || code=$?
  ((code == expected)) || { echo "exit code $code instead of $expected: $*"; exit 1; }
}
printf 'build\n' >project/.gitignore
git -C project init -q
commit 'Begin'
git -C project tag good
cmake -S project -B project/build >/dev/null

# Checked as it is.
(cd project && expect 0 "$assay" check --plain --samples 1)
(cd project && expect 0 "$assay" check springs/chain.cpp -p build --function springs::energy --arg 'chain={springs=2}' \
  --arg 'positions[3]' --plain --samples 1)
night=(nightly --seed 7 --cases 32 --combinations 4)
expect 0 "$assay" "${night[@]}" --report before project >/dev/null

# A rule becomes wrong between two harmless commits.
sed -i 's/A length that/A smooth length that/' project/springs/chain.cpp && commit 'Describe the length'
sed -i 's/s \* (1 - s);/s * (1 + s);/' project/fit/logistic.cpp && commit 'Simplify the rule of the logistic function'
wrong="$(git -C project rev-parse HEAD)"
sed -i 's/a curve of three/one curve of three/' project/fit/misfit.hpp && commit 'Describe the misfit'

export ASSAY="$assay" ASSAY_SEED=7 ASSAY_PROJECT="$work/project" ASSAY_NIGHT="$work/night" ASSAY_LIMIT="${night[*]:3}"
night_with_a_lost_node "$script"
expect 1 "$assay" "${night[@]}" --report alone project >/dev/null
expect 0 "$assay" diff alone night

# The report names what is new, and its page and tables are there.
expect 1 "$assay" report night --baseline before
grep -q 'newly failing' night/report.md
grep -q 'fit::misfit' night/report.md
for file in index.html report.md report.sarif junit.xml cases.txt; do [[ -s "night/$file" ]]; done
case="$(sed -n 's|.*"case":"\(check/[^"]*fit::misfit[^"]*\)".*|\1|p' night/records.jsonl | head -n 1)"
[[ "$case" ]] || { echo 'no case of the misfit'; exit 1; }

expect 1 "$assay" replay "$case" --report night | tee replay.txt
grep -q 'bit for bit as recorded' replay.txt
expect 0 "$assay" bisect "$case" --good good --report night --prepare 'cmake -S . -B build >/dev/null' | tee bisect.txt
grep -q "${wrong:0:7}" bisect.txt
grep -q 'Simplify the rule' bisect.txt
