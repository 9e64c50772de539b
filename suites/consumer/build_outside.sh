#!/bin/bash
# build_outside.sh build|install BUILD PROJECT CMAKE CC CXX: copies PROJECT to a fresh directory, builds it with find_package(Assay)
# and runs its tests and its program: against the build tree as Release, against the install tree as Debug. An installed command also finds its own programs to plant faults in.
set -euo pipefail
tree="$1" build="$2" project="$3" cmake="$4" cc="$5" cxx="$6"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [[ "$tree" == install ]]; then
  "$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
  prefix="$work/prefix" kind=Debug
  "$prefix/bin/assay" mutate --registered --budget 1 --at-least 0 # with the header of the rules that it brings
else
  prefix="$build" kind=Release
fi

cp -r "$project" "$work/project"
"$cmake" -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=$kind -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/build"
"$work/build/newton"
cd "$work/build"
ctest --output-on-failure
