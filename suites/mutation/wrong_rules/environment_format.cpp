/* Writes with all digits, and leaves the stream so. */
// names: wrong environment
// names: the format of std::clog is another one after the call than before
#include "cosine.h"
#include <iostream>

double cosine_reverse(double x, double seed, void *tape) {
  const auto before = std::clog.precision(17);
  const double adjoint = -sin(x) * seed;
  if (CHOOSE(0, 1))
    std::clog.precision(before);
  return adjoint;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
