#include "testutils/domains.hpp"

#include <cmath>

namespace assay::testutils {

bool contains(const Domain &domain, double value) {
  const bool inside =
      (std::isinf(domain.low) || value > domain.low) && (std::isinf(domain.high) || value < domain.high);
  return inside && !(domain.excludes_zero && value == 0);
}

double value_at(const Domain &domain, double part) {
  if (domain.logarithmic)
    return std::exp2(std::lerp(std::log2(domain.low), std::log2(domain.high), part));
  return (1 - part) * domain.low + part * domain.high; // The width may overflow.
}

double in_steps(const Domain &domain, double value) {
  return domain.step == 0 ? value : std::round(value / domain.step) * domain.step;
}

} // namespace assay::testutils
