// Kepler's equation by Newton's method: loops whose number of steps depends on the data.
#include "bench/kernel_of.hpp"
#include "examples/newton_kepler.c"

namespace assay::bench {

namespace {

constexpr int count = 256;

/// Mean anomaly and eccentricity of every planet, alternating.
double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += eccentric_anomaly(x[2 * i], x[2 * i + 1]);
  return sum;
}

} // namespace

Kernel newton() {
  return kernel_of<value>({"newton", 2 * count, 0, 0.1, 0.6});
}

} // namespace assay::bench
