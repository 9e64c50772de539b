// Explicit steps of the heat equation, whose conductivity depends on the temperature, in place.
#include "bench/kernel_of.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int points = 1000;

double value(const double *start, double *heat, int size, int steps) {
  for (int i = 0; i < size; ++i)
    heat[i] = start[i];
  for (int step = 0; step < steps; ++step)
    for (int i = 1; i + 1 < size; ++i)
      heat[i] += 0.1 * heat[i] * (heat[i - 1] - 2 * heat[i] + heat[i + 1]);
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += heat[i] * heat[i];
  return sum;
}

} // namespace

Kernel heat_in_place() {
  return kernel_of<value>({"heat_in_place", points, points, 0.2, 1, 0, {points, 50, 0}});
}

} // namespace assay::bench
