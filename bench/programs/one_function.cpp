// One small function.
#include "bench/programs/derivatives.hpp"

#include <cmath>

namespace {

double distance(const double *x) {
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += std::sin(x[i]) * x[i] * x[i];
  return std::sqrt(sum + 1);
}

} // namespace

ASSAY_DERIVATIVES_OF(distance)
