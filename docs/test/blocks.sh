# For scripts that run the examples of a page: `source blocks.sh`.

# make_clone SOURCE BUILD: goes to a fresh directory, $work, that looks like the root of a clone whose build/release is BUILD.
make_clone() {
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/build"
  ln -s "$2" "$work/build/release"
  ln -s "$1/core" "$work/core"
  cd "$work"
}

# split_blocks PAGE: each block of a page becomes $work/blocks/NNN.header, what stands behind its ```, and NNN.body.
split_blocks() {
  awk -v out="$work/blocks" '
    BEGIN { system("mkdir -p " out) }
    /^```/ && !inside { inside = 1; header = substr($0, 4); body = ""; next }
    /^```/ { inside = 0
             name = sprintf("%s/%03d", out, ++count)
             print header > (name ".header"); close(name ".header")
             printf "%s", body > (name ".body"); close(name ".body"); next }
    inside { body = body $0 "\n" }
  ' "$1"
}

# write_file HEADER BODY: the file of a block ```LANGUAGE file=PATH.
write_file() {
  local path
  path="$(sed -e 's/.*file=//' "$1")"
  mkdir -p "$(dirname "$path")"
  cp "$2" "$path"
}
