# awk -f compare.awk EMULATED DEVICE: compares the derivatives in two logs (testutils/kernel_log.hpp) and prints the times of the second.
# Numbers may differ by the rounding of other mathematical libraries, fused operations and other orders of sums: by a part in 1e4 of the
# largest number of a combination. Ends with 1 where they differ by more, or where one log has what the other lacks.
BEGIN {
  FS = "\t"
  tolerance = 1e-4
}
$1 == "values" {
  if (FILENAME == ARGV[1])
    expected[$2] = $3
  else
    seen[$2] = $3
}
$1 == "seconds" && FILENAME != ARGV[1] {
  function_time[$2] = $3
  derivative_time[$2] = $4
}
function size(x) { return x < 0 ? -x : x }
END {
  for (name in expected) {
    if (!(name in seen)) {
      printf "missing on the device: %s\n", name
      wrong = 1
      continue
    }
    count = split(expected[name], one, " ")
    other_count = split(seen[name], other, " ")
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
    ratio = function_time[name] > 0 ? sprintf("%.3g s, kernel %.3g s, ratio %.2f", derivative_time[name], function_time[name],
                                              derivative_time[name] / function_time[name]) : "no times"
    printf "%s  %s: largest difference %.2g of %.2g, %s\n", differs ? "DIFFERS" : "same   ", name, worst, largest, ratio
  }
  for (name in seen)
    if (!(name in expected)) {
      printf "missing in the emulation: %s\n", name
      wrong = 1
    }
  exit wrong
}
