#!/bin/bash
# run_tutorial.sh PAGE SOURCE BUILD: writes the files that a page shows and runs its commands, in order, in a fresh directory that looks like
# the root of a clone whose build/release is BUILD.
#
# A block ```LANGUAGE file=PATH is a file; ```sh is commands that succeed, ```sh fails such that end with 1; each line of a block ```text is part of
# what the commands before it print.
set -euo pipefail
page="$1" source="$2" build="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/build"
ln -s "$build" "$work/build/release"
ln -s "$source/core" "$work/core"
ln -s "$build/bin/assay" "$work/assay"
cd "$work"

awk -v out="$work/blocks" '
  BEGIN { system("mkdir -p " out) }
  /^```/ && !inside { inside = 1; header = substr($0, 4); body = ""; next }
  /^```/ { inside = 0
           name = sprintf("%s/%03d", out, ++count)
           print header > (name ".header"); close(name ".header")
           printf "%s", body > (name ".body"); close(name ".body"); next }
  inside { body = body $0 "\n" }
' "$page"

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
    path="$(sed -e 's/.*file=//' "$header")"
    mkdir -p "$(dirname "$path")"
    cp "$body" "$path"
    ;;
  esac
done
((commands > 0)) || { echo "no command was found"; exit 1; }
echo "every command of $(basename "$page") works"
