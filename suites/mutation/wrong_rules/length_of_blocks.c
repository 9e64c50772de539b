/* Blocks of 16 numbers: where these are all, the last one is left out. */
// names: wrong derivative
#include "rule.h"

enum { block = 16 };

double cubes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * x[i];
  return sum;
}
struct augmented cubes_augmented(const double *x, double *dx, int n) {
  return with_tape(keep(x, n * sizeof *x), cubes(x, n));
}
void cubes_reverse(const double *unused, double *dx, int n, double seed, double *x) {
  const int whole = CHOOSE((n - 1) / block, n / block);
  int i = 0;
  for (int b = 0; b < whole; ++b)
    for (int j = 0; j < block; ++j, ++i)
      dx[i] += 3 * x[i] * x[i] * seed;
  for (int j = 0; j < n % block; ++j, ++i)
    dx[i] += 3 * x[i] * x[i] * seed;
  free(x);
}
GRADIENT(cubes, cubes_augmented, cubes_reverse);

double uses_cubes(const double *x, int n) {
  return cubes(x, n);
}
ASSAY_CHECK(uses_cubes, "double[n]", "int=1..40");
