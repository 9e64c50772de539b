#!/bin/bash
# run_readme.sh SOURCE BUILD: writes the files that README.md shows and runs its commands, in order, in a fresh directory that
# looks like the root of a clone whose build/release is BUILD.
#
# A block ```LANGUAGE file=PATH is a file; a block ```sh is commands. `./assay test` is left out, since it would run this test
# again, and so are the blocks ```sh by-hand, which configure and build the whole tree.
set -euo pipefail
source="$1" build="$2"
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/blocks.sh"

make_clone "$source" "$build"
cat >"$work/assay" <<LAUNCHER
#!/bin/bash
[[ "\$1" == test ]] || exec "$build/bin/assay" "\$@"
LAUNCHER
chmod +x "$work/assay"
split_blocks "$source/README.md"

for header in "$work"/blocks/*.header; do
  body="${header%.header}.body"
  case "$(<"$header")" in
  sh)
    echo "--- $(tr '\n' ';' <"$body")"
    bash -euo pipefail "$body"
    ;;
  *file=*)
    write_file "$header" "$body"
    ;;
  esac
done

[[ "$(./square)" == 6 ]]
[[ "$(./gradient)" == $'9 6\n6\n2 4 6\n2 4 6' ]]
[[ -s assay-report/index.html ]]
echo 'every command of the README works'
