#!/bin/bash
# unpack_packages.sh BUILD CPACK: packs the build tree as Debian packages, unpacks these into a fresh directory and checks a function
# with the command that comes out.
set -euo pipefail
build="$1" cpack="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

(cd "$build" && "$cpack" -G DEB -B "$work/packages" >"$work/log") || { cat "$work/log"; exit 1; }
for name in assay libassay-dev; do
  package="$(ls "$work/packages/${name}"_*.deb)"
  [[ "$(dpkg-deb --field "$package" Depends)" == *clang-22* ]] || { echo "$name does not depend on clang-22"; exit 1; }
  dpkg-deb --extract "$package" "$work/root"
done
[[ "$(dpkg-deb --field "$work/packages"/assay_*.deb Depends)" == *libllvm22* ]]
for file in share/man/man1/assay-check.1 share/bash-completion/completions/assay lib/cmake/Assay/AssayConfig.cmake include/assay/rules.hpp; do
  [[ -s "$work/root/usr/$file" ]] || { echo "$file is in no package"; exit 1; }
done

printf '#include <math.h>\ndouble f(double x, double y) { return sin(x) * y; }\n' >"$work/f.c"
cd "$work"
root/usr/bin/assay doctor
root/usr/bin/assay check f.c --function f --plain --report "$work/report"
