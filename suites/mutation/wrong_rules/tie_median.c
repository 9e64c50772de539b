/* The median of three: the rule picks another of two equal elements than the function. */
// names: wrong derivative
#include "rule.h"

double median(const double *x) {
  const double low = x[0] < x[1] ? x[0] : x[1], high = x[0] < x[1] ? x[1] : x[0];
  if (x[2] < low)
    return low;
  return x[2] < high ? x[2] : high;
}
struct augmented median_augmented(const double *x, double *dx) {
  return with_tape(keep(x, 3 * sizeof *x), median(x));
}
void median_reverse(const double *unused, double *dx, double seed, double *x) {
  const int low = x[0] < x[1] ? 0 : 1, high = 1 - low;
  if (x[2] < x[low])
    dx[low] += seed;
  else if (CHOOSE(x[2] <= x[high], x[2] < x[high]))
    dx[2] += seed;
  else
    dx[high] += seed;
  free(x);
}
GRADIENT(median, median_augmented, median_reverse);

double uses_median(const double *x) {
  return median(x);
}
ASSAY_CHECK(uses_median, "double[3]");
