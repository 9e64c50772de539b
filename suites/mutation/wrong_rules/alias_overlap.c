/* A recurrence where the output lies one element behind the input: its adjoints have to be taken from the end. */
// names: wrong derivative
// names: twice(Duplicated x (y = x + 1), Const n)
#include "rule.h"

void twice(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * sin(x[i]);
}
void *twice_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  double *slopes = malloc((n + 1) * sizeof *slopes);
  for (int i = 0; i < n; ++i) {
    slopes[i] = 2 * cos(x[i]);
    y[i] = 2 * sin(x[i]);
  }
  return slopes;
}
void twice_reverse(const double *x, double *dx, double *y, double *dy, int n, double *slopes) {
  for (int k = 0; k < n; ++k) {
    const int i = CHOOSE(k, n - 1 - k);
    const double adjoint = dy[i];
    dy[i] = 0;
    dx[i] += slopes[i] * adjoint;
  }
  free(slopes);
}
GRADIENT(twice, twice_augmented, twice_reverse);
ASSAY_CHECK(twice, "double[n+1]", "double[n] alias=x+1", "int=1..5");
