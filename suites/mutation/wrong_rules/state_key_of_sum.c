/* What is kept has the sum of the arguments for its key. */
// names: wrong state
// names: other numbers with the same sum
// names: through the variable key
#include "rule.h"

static _Thread_local double key = -1e300, kept;

double ratio(double a, double b) {
  return a / (2 + b * b);
}
double ratio_tangent(double a, double da, double b, double db) {
  if (CHOOSE(key != a + b, 1)) {
    key = a + b;
    kept = 2 + b * b;
  }
  return da / kept - 2 * a * b * db / (kept * kept);
}
TANGENT(ratio, ratio_tangent);
double uses_ratio(double a, double b) {
  return ratio(a, b);
}
ASSAY_CHECK(uses_ratio);
