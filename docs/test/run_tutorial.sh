#!/bin/bash
# run_tutorial.sh PAGE SOURCE BUILD: writes the files that a page shows and runs its commands, in order, in a fresh directory that looks like
# the root of a clone whose build/release is BUILD.
#
# A block ```LANGUAGE file=PATH is a file; ```sh is commands that succeed, ```sh fails such that end with 1; each line of a block ```text is part of
# what the commands before it print.
set -euo pipefail
page="$1" source="$2" build="$3"
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/blocks.sh"

make_clone "$source" "$build"
ln -s "$build/bin/assay" assay
split_blocks "$page"

run() { # BODY EXPECTED-CODE
  echo "--- $(tr '\n' ';' <"$1")"
  local code=0
  bash -euo pipefail "$1" >"$work/output" 2>&1 || code=$?
  cat "$work/output"
  [[ "$code" == "$2" ]] || { echo "it ended with $code, not $2"; exit 1; }
}

commands=0
for header in "$work"/blocks/*.header; do
  body="${header%.header}.body"
  case "$(<"$header")" in
  sh)
    run "$body" 0
    commands=$((commands + 1))
    ;;
  'sh fails')
    run "$body" 1
    commands=$((commands + 1))
    ;;
  text)
    while read -r line; do
      grep -qF -- "$line" "$work/output" || { echo "not printed: $line"; exit 1; }
    done <"$body"
    ;;
  *file=*)
    write_file "$header" "$body"
    ;;
  esac
done
((commands > 0)) || { echo "no command was found"; exit 1; }
echo "every command of $(basename "$page") works"
