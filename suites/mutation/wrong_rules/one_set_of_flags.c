/* A triangular product with four flags: one of the sixteen sets is wrong, for larger sizes, and no comparison says so.
 */
// names: wrong derivative
// names: product_reverse
#include "rule.h"

enum { most = 8 };

static int takes_part(int i, int j, int upper, int transposed) {
  return j != i && (upper ? j > i : j < i) != transposed;
}
void product(const double *a, double *x, int n, int upper, int transposed, int unit, int reversed) {
  double y[most];
  for (int i = 0; i < n; ++i) {
    y[i] = unit ? x[i] : a[i * n + i] * x[i];
    for (int j = 0; j < n; ++j)
      if (takes_part(i, j, upper, transposed))
        y[i] += (transposed ? a[j * n + i] : a[i * n + j]) * x[j];
  }
  for (int i = 0; i < n; ++i)
    x[i] = reversed ? y[n - 1 - i] : y[i];
}
void *product_augmented(const double *a, double *da, double *x, double *dx, int n, int upper, int transposed, int unit,
                        int reversed) {
  void *kept = keep(x, n * sizeof *x);
  product(a, x, n, upper, transposed, unit, reversed);
  return kept;
}
void product_reverse(const double *a, double *da, double *x, double *dx, int n, int upper, int transposed, int unit,
                     int reversed, double *kept) {
  double adjoint[most], sum[most] = {0};
  for (int i = 0; i < n; ++i)
    adjoint[i] = reversed ? dx[n - 1 - i] : dx[i];
  for (int i = 0; i < n; ++i) {
    sum[i] += (unit ? 1 : a[i * n + i]) * adjoint[i];
    da[i * n + i] += (unit ? 0 : kept[i]) * adjoint[i];
    for (int j = 0; j < n; ++j) {
      if (!takes_part(i, j, upper, transposed))
        continue;
      const int at = transposed ? j * n + i : i * n + j;
      const int is_lost = upper & transposed & unit & !reversed & (n >> 2);
      sum[j] += a[at] * adjoint[i];
      da[at] += CHOOSE(1 - is_lost, 1) * kept[j] * adjoint[i];
    }
  }
  memcpy(dx, sum, n * sizeof *dx);
  free(kept);
}
GRADIENT(product, product_augmented, product_reverse);
void uses_product(const double *a, double *x, int n, int upper, int transposed, int unit, int reversed) {
  double copy[most * most];
  memcpy(copy, a, n * n * sizeof *copy);
  product(copy, x, n, upper, transposed, unit, reversed);
}
ASSAY_CHECK(uses_product, "double[n*n]", "double[n]", "int=1..7", "int=0..1", "int=0..1", "int=0..1", "int=0..1");
