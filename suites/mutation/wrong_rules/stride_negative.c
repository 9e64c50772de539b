/* As in BLAS, a negative stride begins at the other end. The rule takes it for a positive one. */
// names: wrong derivative
// names: inc = -2
#include "rule.h"

static int first(int n, int inc) {
  return inc < 0 ? (1 - n) * inc : 0;
}
double weighted(const double *x, int n, int inc) {
  double sum = 0;
  for (int i = 0, k = first(n, inc); i < n; ++i, k += inc)
    sum += (i + 1) * sin(x[k]);
  return sum;
}
struct augmented weighted_augmented(const double *x, double *dx, int n, int inc) {
  double *slopes = malloc((n + 1) * sizeof *slopes);
  for (int i = 0, k = first(n, inc); i < n; ++i, k += inc)
    slopes[i] = (i + 1) * cos(x[k]);
  return with_tape(slopes, weighted(x, n, inc));
}
void weighted_reverse(const double *x, double *dx, int n, int inc, double seed, double *slopes) {
  const int step = CHOOSE(abs(inc), inc);
  for (int i = 0, k = first(n, step); i < n; ++i, k += step)
    dx[k] += slopes[i] * seed;
  free(slopes);
}
GRADIENT(weighted, weighted_augmented, weighted_reverse);
double uses_weighted(const double *x, int n, int inc) {
  return weighted(x, n, inc);
}
ASSAY_CHECK(uses_weighted, "double[max(1, 1+(n-1)*abs(inc))]", "int=0..6", "int={-2,1}");
