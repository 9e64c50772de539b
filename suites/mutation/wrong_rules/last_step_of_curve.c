/* A curve in 128 straight steps over the whole domain; the last one takes the slope of the step before it. */
// names: wrong derivative
#include "rule.h"

enum { steps = 128 };

static double node(int i) {
  return pow(i / (double)steps, 2.2);
}
double curve(double x) {
  const int i = (int)(steps * x);
  return node(i) + (steps * x - i) * (node(i + 1) - node(i));
}
struct augmented curve_augmented(double x) {
  return with_tape(NULL, curve(x));
}
double curve_reverse(double x, double seed, void *tape) {
  const int i = (int)(steps * x) - CHOOSE((int)(steps * x) / (steps - 1), 0);
  return steps * (node(i + 1) - node(i)) * seed;
}
GRADIENT(curve, curve_augmented, curve_reverse);
double uses_curve(double x) {
  return curve(x);
}
ASSAY_CHECK(uses_curve, "double:(0,1)");
