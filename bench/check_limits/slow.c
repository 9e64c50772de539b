// A call takes a tenth of a second.

#include <assay/check.h>
#include <math.h>

double slow(double x, double y) {
  for (int i = 0; i < 5000000; ++i)
    x = x + 1e-7 * sin(x + y);
  return x * y;
}
ASSAY_CHECK(slow, "double", "double");
