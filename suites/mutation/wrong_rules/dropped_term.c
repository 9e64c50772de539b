/* A term of the derivative by one argument is missing. */
// names: wrong derivative
// names: an element of argument x
#include "rule.h"

double product(double x, double y) {
  return x * y + sin(x);
}
struct augmented product_augmented(double x, double y) {
  return no_tape(product(x, y));
}
struct pair product_reverse(double x, double y, double seed, void *tape) {
  struct pair adjoints = {CHOOSE(y, y + cos(x)) * seed, x * seed};
  return adjoints;
}
GRADIENT(product, product_augmented, product_reverse);
ASSAY_CHECK(product);
