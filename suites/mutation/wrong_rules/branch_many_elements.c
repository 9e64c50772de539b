/* Wrong beyond sixteen elements, where it leaves out the rest. */
// names: wrong derivative
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  const int m = n > 16 ? CHOOSE(16, n) : n;
  for (int i = 0; i < m; ++i)
    dx[i] += 2 * kept[i] * seed;
  free(kept);
}
GRADIENT(squares, squares_augmented, squares_reverse);

double uses_squares(const double *x, int n) {
  return squares(x, n);
}
ASSAY_CHECK(uses_squares, "double[n]", "int=1..40");
