/* Remembers the greatest length so far, and takes it for the length. */
// names: wrong state
// names: after a call with
// names: through the variable
#include "squares.h"

void squares_reverse(const double *unused, double *dx, int n, double seed, double *x) {
  static int longest = 0;
  if (longest < n)
    longest = n;
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * x[i] * seed / CHOOSE(longest, n) * n;
  free(x);
}
GRADIENT(squares, squares_augmented, squares_reverse);
double uses_squares(const double *x, int n) {
  return squares(x, n);
}
ASSAY_CHECK(uses_squares, "double[n]", "int=1..9");
