/* The derivative of the second output has the wrong sign, that of the first is right. */
// names: wrong derivative
// names: c[0]
#include "rule.h"

void sine_and_cosine(double x, double *s, double *c) {
  *s = sin(x);
  *c = cos(x);
}
void sine_and_cosine_tangent(double x, double dx, double *s, double *ds, double *c, double *dc) {
  sine_and_cosine(x, s, c);
  *ds = *c * dx;
  *dc = CHOOSE(*s, -*s) * dx;
}
TANGENT(sine_and_cosine, sine_and_cosine_tangent);
ASSAY_CHECK(sine_and_cosine, "double", "double[1]", "double[1]");
