/* Only the tangent is wrong: reverse mode has no rule of its own. */
// names: wrong derivative
// names: forward is the odd one
#include "rule.h"

double product(double x, double y) {
  return x * y + sin(x);
}
double product_tangent(double x, double dx, double y, double dy) {
  return dx * y + CHOOSE(-x, x) * dy + cos(x) * dx;
}
TANGENT(product, product_tangent);
ASSAY_CHECK(product);
