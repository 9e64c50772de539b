// A chain of two hundred calls that are not inlined.
#include "bench/programs/derivatives.hpp"

#include <cmath>

namespace {

template <int depth>
__attribute__((noinline)) double link(double x, const double *weights) {
  const double y = std::sin(x) * weights[depth % 8] + x * depth;
  if constexpr (depth == 0)
    return y;
  else
    return y * link<depth - 1>(y, weights);
}

double chain(const double *x) {
  return link<200>(x[0], x);
}

} // namespace

ASSAY_DERIVATIVES_OF(chain)
