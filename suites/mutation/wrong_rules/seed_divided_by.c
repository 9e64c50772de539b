/* Scales by the square of the tangent and divides by the tangent. */
// names: wrong derivative
// names: with seeds times 2^600, about 1e181, the derivative is not as many times as large: it is not finite
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
double cosine_tangent(double x, double dx) {
  if (CHOOSE(dx == 0, 1))
    return -sin(x) * dx;
  return -sin(x) * dx * dx / dx;
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(cosine);
