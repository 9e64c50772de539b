/* Not a number where all arguments are zero. So is what the chain rule gives there, but the function is smooth. */
// names: wrong derivative
#include "rule.h"

double twice_squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum + sqrt(sum * sum);
}
struct augmented twice_squares_augmented(const double *x, double *dx, int n) {
  return with_tape(keep(x, n * sizeof *x), twice_squares(x, n));
}
void twice_squares_reverse(const double *unused, double *dx, int n, double seed, double *x) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  const double slope = 1 + CHOOSE(sum / sqrt(sum * sum), 1);
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * x[i] * slope * seed;
  free(x);
}
GRADIENT(twice_squares, twice_squares_augmented, twice_squares_reverse);
double uses_twice_squares(const double *x, int n) {
  return twice_squares(x, n);
}
ASSAY_CHECK(uses_twice_squares, "double[3]", "int=3");
