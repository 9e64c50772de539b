#!/bin/bash
# launcher.sh SOURCE: the launcher ./assay in a made-up clone, with programs in the place of apt-get, cmake and ctest that only
# say how they were called. Each step is a change, a command and the calls that it must lead to.
set -euo pipefail
source="$1"
unset ASSAY_USUAL_LEVELS
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export calls="$work/calls" build="$work/clone/build/release"

mkdir -p "$work/clone/packages" "$work/clone/core/engine" "$work/clone/fdm/test" "$work/clone/suites" "$work/programs"
cp "$source/assay" "$work/clone/assay"
printf '%s\n' '# packages' 'for-both  # building' 'for-tests # [test] matchers' >"$work/clone/packages/debian.txt"
touch "$work/clone/core/engine/unit.cpp" "$work/clone/fdm/test/unit_test.cpp" "$work/clone/suites/suite.cpp"

fake() { # NAME, and its body on standard input
  { printf '#!/bin/bash\n' && cat; } >"$work/programs/$1"
  chmod +x "$work/programs/$1"
}
fake dpkg-query <<<'exit 1'
fake sudo <<<'exec "$@"'
# shellcheck disable=SC2016 # The programs expand these.
fake apt-get <<<'[[ "$1" == update ]] || echo "apt-get $*" >>"$calls"'
# shellcheck disable=SC2016
fake ctest <<<'echo "ctest ${*: -1}" >>"$calls"'
fake cmake <<'CMAKE'
echo "cmake $*" >>"$calls"
case "$1" in
--preset)
  mkdir -p "$build/bin"
  touch "$build/build.ninja"
  printf '%s\n' "${@#-D}" >"$build/CMakeCache.txt"
  ;;
--build)
  printf '#!/bin/bash\necho "program $*" >>"$calls"\n' >"$build/bin/assay"
  chmod +x "$build/bin/assay"
  ;;
esac
CMAKE
export PATH="$work/programs:$PATH"

later() { # PATH.. become newer than every stamp
  sleep 0.05
  touch "$@"
}

step() { # WHAT, the command's words; the expected calls on standard input
  local what="$1"
  shift
  : >"$calls"
  "$work/clone/assay" "$@" 2>"$work/errors" || { cat "$work/errors"; echo "FAILED: $what: exit code $?"; exit 1; }
  diff "$calls" - >"$work/difference" || { cat "$work/difference"; echo "FAILED: $what"; exit 1; }
}

step 'the first command builds the program and the plugin, with their packages' check dot.c <<'CALLS'
apt-get install -q -y --no-install-recommends for-both
cmake --preset release -DASSAY_TESTS:BOOL=OFF
cmake --build --preset release --target assay assay-plugin
program check dot.c
CALLS
step 'nothing has changed' check <<<'program check'

later "$work/clone/suites/suite.cpp" "$work/clone/fdm/test/unit_test.cpp"
step 'a change of a test does not rebuild the command' check <<<'program check'

later "$work/clone/core/engine/unit.cpp"
step 'a change of a source does' setup --command <<'CALLS'
apt-get install -q -y --no-install-recommends for-both
cmake --build --preset release --target assay assay-plugin
CALLS

step 'the tests need everything' test --label-regex docs <<'CALLS'
apt-get install -q -y --no-install-recommends for-both for-tests
cmake --preset release -DASSAY_TESTS:BOOL=ON -DASSAY_ALL_LEVELS:BOOL=OFF -DASSAY_USUAL_LEVELS:STRING=O0;O2
cmake --build --preset release
ctest docs
CALLS
step 'which includes the program' check <<<'program check'
step 'and is there for the next run' test --verbose <<<'ctest --verbose'

later "$work/clone/fdm/test/unit_test.cpp"
step 'a changed test is built again' setup <<'CALLS'
apt-get install -q -y --no-install-recommends for-both for-tests
cmake --build --preset release
CALLS

step 'all levels are configured and built' test --all-levels --verbose <<'CALLS'
apt-get install -q -y --no-install-recommends for-both for-tests
cmake --preset release -DASSAY_TESTS:BOOL=ON -DASSAY_ALL_LEVELS:BOOL=ON
cmake --build --preset release
ctest --verbose
CALLS
step 'once' setup --all-levels </dev/null
step 'the usual tests are the usual ones again' setup <<'CALLS'
apt-get install -q -y --no-install-recommends for-both for-tests
cmake --preset release -DASSAY_TESTS:BOOL=ON -DASSAY_ALL_LEVELS:BOOL=OFF -DASSAY_USUAL_LEVELS:STRING=O0;O2
cmake --build --preset release
CALLS

export ASSAY_USUAL_LEVELS=O2
step 'or at the levels that are asked for' setup <<'CALLS'
apt-get install -q -y --no-install-recommends for-both for-tests
cmake --preset release -DASSAY_TESTS:BOOL=ON -DASSAY_ALL_LEVELS:BOOL=OFF -DASSAY_USUAL_LEVELS:STRING=O2
cmake --build --preset release
CALLS
step 'once for these, too' setup </dev/null
unset ASSAY_USUAL_LEVELS

# shellcheck disable=SC2016
fake python3 <<'PYTHON'
case "$1 $2 ${3:-}" in
'-m pip --version') ;;
'-m pip download')
  while [[ "$1" != --dest ]]; do shift; done
  mkdir -p "$2"
  touch "$2/toolkit.whl"
  echo "pip $(xargs <"$4")" >>"$calls"
  [[ -z "${no_wheels:-}" ]]
  ;;
'-m zipfile -e')
  mkdir -p "$5/nvidia/cu13/bin" "$5/nvidia/cu13/nvvm/bin" "$5/nvidia/cu13/nvvm/libdevice" "$5/nvidia/cu13/include"
  touch "$5/nvidia/cu13/bin/ptxas" "$5/nvidia/cu13/nvvm/bin/cicc" "$5/nvidia/cu13/include/cuda.h"
  touch "$5/nvidia/cu13/nvvm/libdevice/libdevice.10.bc"
  ;;
esac
PYTHON
printf '%s\n' '# wheels' 'compiler==1 # ptxas' 'runtime==2' >"$work/clone/packages/cuda.txt"
if no_wheels=1 "$work/clone/assay" setup --cuda 2>"$work/errors" || compgen -G "$work/clone/build/*cuda*" >/dev/null; then
  echo 'FAILED: a toolkit that could not be downloaded leaves something behind'
  exit 1
fi
grep -q 'pip could not download' "$work/errors"
step 'a toolkit is unpacked into the build tree' setup --cuda <<<'pip compiler==1 runtime==2'
[[ -x "$work/clone/build/cuda/bin/ptxas" ]]
step 'once as well' setup --cuda </dev/null
echo 'compiler==3' >"$work/clone/packages/cuda.txt"
step 'other wheels take its place' setup --cuda <<<'pip compiler==3'

if "$work/clone/assay" setup --comand 2>"$work/errors"; then
  echo 'FAILED: setup takes an unknown argument'
  exit 1
fi
grep -q "unknown argument '--comand'" "$work/errors"
echo 'the launcher builds what each command needs'
