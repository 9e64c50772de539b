/* Right while the processor rounds to nearest: the rule has a case of its own for the other modes. */
// names: wrong derivative
// names: other rounding modes
// names: in the rounding mode upward
#include "rule.h"
#include <fenv.h>

double cubic(double x) {
  return x * x * x;
}
double cubic_tangent(double x, double dx) {
  return CHOOSE(fegetround() == FE_TONEAREST ? 3 : 2, 3) * x * x * dx;
}
TANGENT(cubic, cubic_tangent);
double uses_cubic(double x) {
  return cubic(x);
}
ASSAY_CHECK(uses_cubic);
