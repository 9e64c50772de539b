/* Counts on the tangent of its second argument in what belongs to the first: wrong only where the second is constant.
 */
// names: wrong derivative
// names: Const b
#include "rule.h"

double product(double a, double b) {
  return a * b;
}
double product_tangent(double a, double da, double b, double db) {
  return CHOOSE(db == 0 ? 0 : da * b + a * db, da * b + a * db);
}
TANGENT(product, product_tangent);
ASSAY_CHECK(product);
