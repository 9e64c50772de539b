/* The adjoint of a matrix is stored as its transpose. */
// names: wrong derivative
// names: transposed: elements of a
#include "rule.h"

enum { n = 3 };

/* The sum of (i + 1) (j + 2) a[i][j]. */
double form(const double *a) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += (i + 1) * (j + 2) * a[i * n + j];
  return sum;
}
struct augmented form_augmented(const double *a, double *da) {
  return no_tape(form(a));
}
void form_reverse(const double *a, double *da, double seed, void *tape) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      da[CHOOSE(j * n + i, i * n + j)] += (i + 1) * (j + 2) * seed;
}
GRADIENT(form, form_augmented, form_reverse);
ASSAY_CHECK(form, "double[3x3]");
