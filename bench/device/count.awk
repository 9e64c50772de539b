# Reads what ptxas -v says and SASS of a file with the kernels Counted<...>::primal and gradient, and writes a row of the table.

function part_of(symbol) {
  if (symbol ~ /8gradient/) return "gradient"
  if (symbol ~ /6primal/) return "primal"
  return ""
}
function ratio(counts) {
  return counts["primal"] ? sprintf("%.1f", counts["gradient"] / counts["primal"]) : "-"
}
function both(counts) {
  return counts["primal"] + 0 " / " counts["gradient"] + 0
}

FNR == 1 { ++which }
which == 1 && /Compiling entry function/ { match($0, /'[^']*'/); part = part_of(substr($0, RSTART + 1, RLENGTH - 2)); own = 1 }
which == 1 && /Function properties for/ { own = part_of($NF) != "" }
which == 1 && own && /bytes spill stores/ { for (i = 1; i < NF; ++i) if ($(i + 1) == "bytes" && $(i + 2) == "spill") spilled[part] += $i }
which == 1 && /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); registers[part] = substr($0, RSTART + 5, RLENGTH - 5) }

# The functions that a kernel calls are in its section.
which == 2 && /^\.text\.|^\.section[ \t]*\.text\./ { part = part_of($0) }
which == 2 && /^[ \t]*\/\*[0-9a-f]+\*\// {
  line = $0
  gsub(/\/\*[^*]*\*\//, "", line)
  sub(/^[ \t{]*/, "", line)
  sub(/^@!?U?P[0-9T]+[ \t]+/, "", line)
  split(line, words, /[ \t;]/)
  split(words[1], operation, /\./)
  code = operation[1]
  if (code == "NOP") next
  ++instructions[part]
  if (code ~ /^(LDG|STG|LD|ST|ULDG)$/) ++accesses[part]
  if (code ~ /^(ATOM|ATOMG|ATOMS|RED|REDG|ATOMD)$/) ++atomics[part]
  if (code ~ /^(LDL|STL)$/) ++local[part]
  if (code ~ /^(LDS|STS)$/) ++shared[part]
}

END {
  printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, both(instructions), ratio(instructions), both(accesses), ratio(accesses),
    both(atomics), both(local), both(shared), both(registers), both(spilled), heap
}
