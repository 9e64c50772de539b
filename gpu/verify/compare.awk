# awk -f compare.awk EMULATED DEVICE: compares the derivatives in two logs (testutils/kernel_log.hpp) and prints the times of the second.
# Derivatives are the same ones where what was asked is the same (its digest); of each combination one has to be.
# Numbers may differ by the rounding of other mathematical libraries, fused operations and other orders of sums: by a part in 1e4 of the
# largest number of a combination. Ends with 1 where they differ by more, or where the device's log lacks a combination.
BEGIN {
  FS = "\t"
  tolerance = 1e-4
}
$1 == "values" {
  if (FILENAME == ARGV[1]) {
    expected[$2, $3] = $4
    combinations[$2] = 0
  } else
    seen[$2, $3] = $4
}
$1 == "seconds" && FILENAME != ARGV[1] {
  function_time[$2] = $3
  derivative_time[$2] = $4
}
function size(x) { return x < 0 ? -x : x }
END {
  for (key in expected) {
    if (!(key in seen))
      continue
    split(key, parts, SUBSEP)
    name = parts[1]
    ++combinations[name]
    count = split(expected[key], one, " ")
    other_count = split(seen[key], other, " ")
    largest = worst = 0
    for (i = 1; i <= count; ++i)
      if (size(one[i]) > largest)
        largest = size(one[i])
    for (i = 1; i <= count; ++i)
      if (size(one[i] - other[i]) > worst)
        worst = size(one[i] - other[i])
    differs = count != other_count || worst > tolerance * largest
    if (differs)
      wrong = 1
    if (differs || combinations[name] == 1 || largest > shown[name]) {
      shown[name] = largest
      ratio = function_time[name] > 0 ? sprintf("%.3g s, kernel %.3g s, ratio %.2f", derivative_time[name], function_time[name],
                                                derivative_time[name] / function_time[name]) : "no times"
      line = sprintf("%s  %s: largest difference %.2g of %.2g, %s", differs ? "DIFFERS" : "same   ", name, worst, largest, ratio)
      if (differs)
        print line
      else
        same[name] = line
    }
  }
  for (name in same)
    print same[name]
  for (name in combinations)
    if (combinations[name] == 0) {
      printf "nothing to compare on the device: %s\n", name
      wrong = 1
    }
  exit wrong
}
