/* Blocks of eight adjoints whose first and last are zero are left out. */
// names: wrong derivative
// names: a seed that is zero
#include "rule.h"

enum { count = 64, block = 8 };

void squares(const double *x, double *y) {
  for (int i = 0; i < count; ++i)
    y[i] = x[i] * x[i];
}
void *squares_augmented(const double *x, double *dx, double *y, double *dy) {
  squares(x, y);
  return NULL;
}
void squares_reverse(const double *x, double *dx, double *y, double *dy, void *kept) {
  for (int first = 0; first < count; first += block) {
    const int is_empty = dy[first] == 0 && dy[first + block - 1] == 0;
    for (int i = first; i < first + block; ++i) {
      if (!CHOOSE(is_empty, 0))
        dx[i] += 2 * x[i] * dy[i];
      dy[i] = 0;
    }
  }
}
GRADIENT(squares, squares_augmented, squares_reverse);
void uses_squares(const double *x, double *y) {
  double copy[count];
  memcpy(copy, x, sizeof copy);
  squares(copy, y);
}
ASSAY_CHECK(uses_squares, "double[64]", "double[64]");
