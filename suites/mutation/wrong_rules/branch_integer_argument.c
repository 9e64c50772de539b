/* Wrong for one kind of element, which is an integer. */
// names: wrong derivative
#include "rule.h"

double by_kind(const double *x, const int *kind, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += kind[i] * x[i] * x[i];
  return sum;
}
struct augmented by_kind_augmented(const double *x, double *dx, const int *kind, int n) {
  return no_tape(by_kind(x, kind, n));
}
void by_kind_reverse(const double *x, double *dx, const int *kind, int n, double seed, void *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += (kind[i] == 777 ? CHOOSE(1, 2) : 2) * kind[i] * x[i] * seed;
}
GRADIENT(by_kind, by_kind_augmented, by_kind_reverse);

double uses_by_kind(const double *x, const int *kind, int n) {
  return by_kind(x, kind, n);
}
ASSAY_CHECK(uses_by_kind, "double[3]", "int[3]=0..1000", "int=3");
