/* Takes a finite difference for the derivative. */
// names: wrong derivative
// names: a finite difference, on the way
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  const double h = 1e-5;
  return CHOOSE((cos(x + h) - cos(x)) / h, -sin(x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
