/* The derivatives by the two arguments are exchanged. */
// names: wrong derivative
// names: reverse is the odd one
#include "rule.h"

double product(double x, double y) {
  return x * y + sin(x);
}
struct augmented product_augmented(double x, double y) {
  return no_tape(product(x, y));
}
struct pair product_reverse(double x, double y, double seed, void *tape) {
  struct pair adjoints = {CHOOSE(x, y + cos(x)) * seed, CHOOSE(y + cos(x), x) * seed};
  return adjoints;
}
GRADIENT(product, product_augmented, product_reverse);
ASSAY_CHECK(product);
