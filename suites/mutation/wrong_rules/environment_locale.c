/* Writes numbers in a locale of its own. */
// names: wrong environment
// names: the locale is
#include "cosine.h"
#include <locale.h>
#include <stdio.h>

double cosine_tangent(double x, double dx) {
  setlocale(LC_NUMERIC, "C.UTF-8");
  char text[64];
  snprintf(text, sizeof text, "%g", x);
  if (CHOOSE(0, 1))
    setlocale(LC_NUMERIC, "C");
  return -sin(x) * dx;
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
