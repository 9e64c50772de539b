#!/bin/bash
# run_programs.sh PAGE SOURCE BUILD CC CXX: compiles each program of a page with the plugin, at -O0 and -O2, and compares what it prints
# with its last line, `// prints: ...`. A block ```c or ```cpp without that line is no program.
set -euo pipefail
page="$1" source="$2" build="$3" cc="$4" cxx="$5"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
plugin="$build/lib/assay-plugin.so"

awk -v out="$work" '
  /^```(c|cpp)$/ { inside = 1; language = substr($0, 4); body = ""; prints = 0; next }
  /^```/ { if (inside && prints) { name = sprintf("%s/%03d.%s", out, ++count, language); printf "%s", body > name; close(name) }
           inside = 0; next }
  inside { body = body $0 "\n"; if ($0 ~ /^\/\/ prints: /) prints = 1 }
' "$page"

failed=0 programs=0
for file in "$work"/*.c "$work"/*.cpp; do
  [[ -e "$file" ]] || continue
  programs=$((programs + 1))
  expected="$(sed -n 's,^// prints: ,,p' "$file")"
  case "$file" in
  *.c) compiler=("$cc") ;;
  *) compiler=("$cxx" "-I$source/core/include") ;;
  esac
  for level in -O0 -O2; do
    "${compiler[@]}" "$level" "-fpass-plugin=$plugin" "$file" -o "$work/program" -lm
    printed="$("$work/program")"
    if [[ "$printed" != "$expected" ]]; then
      echo "$level: a program prints '$printed', expected '$expected':"
      cat "$file"
      failed=1
    fi
  done
done
echo "$programs programs of $(basename "$page")"
((programs > 0)) || { echo "no program was found"; exit 1; }
exit "$failed"
