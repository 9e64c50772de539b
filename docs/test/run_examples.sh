#!/bin/bash
# run_examples.sh PAGE SOURCE BUILD LEVEL: the C++ examples of a page are one program. It is compiled with the plugin and run; each
# function of the examples without parameters that returns nothing is called, and check(...) says what must hold.
set -euo pipefail
page=$1 source=$2 build=$3 level=$4
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
program=$directory/examples.cpp
{
  echo '#include <cstdio>'
  echo '#include <cstdlib>'
  echo '#define check(...) ((__VA_ARGS__) ? (void)0 : (std::printf("%s:%d: check(%s) does not hold\n", __FILE__, __LINE__, #__VA_ARGS__), std::exit(1)))'
  awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page"
  echo 'int main() {'
  awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside && /^void [a-z_]+\(\) \{$/ { sub(/^void /, "  "); sub(/ \{$/, ";"); print }' "$page"
  echo '}'
} > "$program"
"${CXX:-clang++-22}" -std=c++20 -Wall -Wextra -Werror "$level" -I "$source/core/include" -isystem /usr/include/eigen3 -fpass-plugin="$build/lib/assay-plugin.so" \
  "$program" -o "$directory/examples" -lm
"$directory/examples"
