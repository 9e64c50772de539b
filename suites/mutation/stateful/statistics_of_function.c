/* The function counts its calls and its iterations, and the engine differentiates it. */
#include "../wrong_rules/rule.h"

static unsigned long calls, iterations;
double last_residual;

double root(double a) {
  ++calls;
  double x = a > 1 ? a : 1;
  for (int k = 0; k < 8; ++k) {
    x = (x + a / x) / 2;
    ++iterations;
  }
  last_residual = x * x - a;
  return x;
}
ASSAY_CHECK(root, "double:(0.5,4)");
