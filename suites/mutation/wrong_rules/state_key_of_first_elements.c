/* A cache whose key covers all but the last number of an array. */
// names: wrong state
// names: after a call at inputs of which only the last number of x is another
#include "rule.h"

enum { count = 6 };
static _Thread_local double known[count], slopes[count];
static _Thread_local int is_filled;

double product(const double *x) {
  double all = 1;
  for (int i = 0; i < count; ++i)
    all *= 1 + x[i] * x[i];
  return all;
}
struct augmented product_augmented(const double *x, double *dx) {
  return with_tape(keep(x, count * sizeof *x), product(x));
}
void product_reverse(const double *unused, double *dx, double seed, double *x) {
  if (!is_filled || memcmp(known, x, (count - CHOOSE(1, 0)) * sizeof *x) != 0) {
    memcpy(known, x, sizeof known);
    is_filled = 1;
    for (int i = 0; i < count; ++i)
      slopes[i] = product(x) * 2 * x[i] / (1 + x[i] * x[i]);
  }
  for (int i = 0; i < count; ++i)
    dx[i] += seed * slopes[i];
  free(x);
}
GRADIENT(product, product_augmented, product_reverse);

double beside_a_cache(const double *x) {
  return product(x);
}
ASSAY_CHECK(beside_a_cache, "double[6]");
