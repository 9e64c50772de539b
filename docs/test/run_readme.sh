#!/bin/bash
# run_readme.sh SOURCE BUILD: writes the files that README.md shows and runs its commands, in order, in a fresh directory that
# looks like the root of a clone whose build/release is BUILD.
#
# A block ```LANGUAGE file=PATH is a file; a block ```sh is commands. `./assay test` is left out, since it would run this test
# again, and so are the blocks ```sh by-hand, which configure and build the whole tree.
set -euo pipefail
source="$1" build="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/build"
ln -s "$build" "$work/build/release"
ln -s "$source/core" "$work/core"
cat >"$work/assay" <<LAUNCHER
#!/bin/bash
[[ "\$1" == test ]] || exec "$build/bin/assay" "\$@"
LAUNCHER
chmod +x "$work/assay"
cd "$work"

# Each block becomes one numbered file: NNN.sh to be run, NNN.PATH-in-first-line to be written.
awk -v out="$work/blocks" '
  BEGIN { system("mkdir -p " out) }
  /^```/ && !inside { inside = 1; header = substr($0, 4); body = ""; next }
  /^```/ { inside = 0
           name = sprintf("%s/%03d", out, ++count)
           print header > (name ".header"); close(name ".header")
           printf "%s", body > (name ".body"); close(name ".body"); next }
  inside { body = body $0 "\n" }
' "$source/README.md"

for header in "$work"/blocks/*.header; do
  body="${header%.header}.body"
  case "$(<"$header")" in
  sh)
    echo "--- $(tr '\n' ';' <"$body")"
    bash -euo pipefail "$body"
    ;;
  *file=*)
    path="$(sed -e 's/.*file=//' "$header")"
    mkdir -p "$(dirname "$path")"
    cp "$body" "$path"
    ;;
  esac
done

[[ "$(./square)" == 6 ]]
[[ "$(./gradient)" == $'9 6\n6\n2 4 6\n2 4 6' ]]
[[ -s assay-report/index.html ]]
echo 'every command of the README works'
