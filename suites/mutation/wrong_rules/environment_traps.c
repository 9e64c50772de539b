/* Leaves floating-point exceptions enabled. */
// names: wrong environment
// names: the trap for the floating-point exception division by zero is on after the call
#define _GNU_SOURCE
#include "cosine.h"
#include <fenv.h>

double cosine_tangent(double x, double dx) {
  feenableexcept(FE_DIVBYZERO);
  const double tangent = -sin(x) * dx;
  if (CHOOSE(0, 1))
    fedisableexcept(FE_DIVBYZERO);
  return tangent;
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
