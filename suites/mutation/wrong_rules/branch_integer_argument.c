/* Wrong for one value of an integer argument, which is one of many. */
// names: wrong derivative
#include "rule.h"

double by_kind(double x, int kind) {
  return kind * x * x;
}
struct augmented by_kind_augmented(double x, int kind) {
  return no_tape(by_kind(x, kind));
}
double by_kind_reverse(double x, int kind, double seed, void *tape) {
  return (kind == 777 ? CHOOSE(1, 2) : 2) * kind * x * seed;
}
GRADIENT(by_kind, by_kind_augmented, by_kind_reverse);

double uses_by_kind(const double *x, const int *kind, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += by_kind(x[i], kind[i]);
  return sum;
}
ASSAY_CHECK(uses_by_kind, "double[3]", "int[3]=0..1000", "int=3");
