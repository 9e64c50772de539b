/* Drops a term where both arguments move: wrong in one combination of three. */
// names: wrong derivative
// names: Duplicated a: double, Duplicated b: double
#include "rule.h"

double product(double a, double b) {
  return a * b;
}
double product_tangent(double a, double da, double b, double db) {
  return CHOOSE(da != 0 && db != 0 ? a * db : da * b + a * db, da * b + a * db);
}
TANGENT(product, product_tangent);
ASSAY_CHECK(product);
