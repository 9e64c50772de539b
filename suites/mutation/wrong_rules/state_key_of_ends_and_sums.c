/* What is kept has the ends, the sum and the sum of squares of an array for its key. */
// names: wrong state
// names: in another order
// names: through the variable key
#include "rule.h"

static double key[4], slopes[16];

double weighted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += exp(x[i]) * (i + 1);
  return sum;
}
static void find_slopes(const double *x, int n, double *found) {
  for (int i = 0; i < n; ++i)
    found[i] = exp(x[i]) * (i + 1);
}
struct augmented weighted_augmented(const double *x, double *dx, int n) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  const double found[4] = {x[0], x[n - 1], sum, squares};
  double *kept = malloc(n * sizeof *kept);
  if (CHOOSE(!memcmp(found, key, sizeof key), 0)) {
    memcpy(kept, slopes, n * sizeof *kept);
  } else {
    find_slopes(x, n, kept);
    memcpy(key, found, sizeof key);
    memcpy(slopes, kept, n * sizeof *kept);
  }
  return with_tape(kept, weighted(x, n));
}
void weighted_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  for (int i = 0; i < n; ++i)
    dx[i] += seed * kept[i];
  free(kept);
}
GRADIENT(weighted, weighted_augmented, weighted_reverse);
double uses_weighted(const double *x, int n) {
  return weighted(x, n);
}
ASSAY_CHECK(uses_weighted, "double[6]", "int=6");
