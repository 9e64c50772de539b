/* The function takes the first of equal elements, the rule the last. */
// names: wrong derivative
// names: the point is a tie
#include "rule.h"

double largest(const double *x, int n) {
  double most = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] > most)
      most = x[i];
  return most;
}
struct augmented largest_augmented(const double *x, double *dx, int n) {
  return with_tape(keep(x, n * sizeof *x), largest(x, n));
}
void largest_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  int at = 0;
  for (int i = 1; i < n; ++i)
    if (CHOOSE(kept[i] >= kept[at], kept[i] > kept[at]))
      at = i;
  dx[at] += seed;
  free(kept);
}
GRADIENT(largest, largest_augmented, largest_reverse);

double uses_largest(const double *x, int n) {
  return largest(x, n);
}
ASSAY_CHECK(uses_largest, "double[4]", "int=4");
