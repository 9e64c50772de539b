/* A shadow that holds a small number is taken for one that nothing was added to. */
// names: wrong derivative
// names: the derivative is not added to the contents of the shadow
#include "rule.h"

void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
void *squares_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  double *kept = malloc(n * sizeof *kept);
  memcpy(kept, x, n * sizeof *kept);
  squares(x, y, n);
  return kept;
}
void squares_reverse(const double *x, double *dx, double *y, double *dy, int n, double *kept) {
  for (int i = 0; i < n; ++i) {
    const double part = 2 * kept[i] * dy[i];
    dx[i] = CHOOSE(fabs(dx[i]) < 1e-3, 0) ? part : dx[i] + part;
    dy[i] = 0;
  }
  free(kept);
}
GRADIENT(squares, squares_augmented, squares_reverse);
void uses_squares(const double *x, double *y, int n) {
  squares(x, y, n);
}
ASSAY_CHECK(uses_squares, "double[4]", "double[4]", "int=4");
