#pragma once
// A chain of springs along a line.

#include <span>
#include <vector>

namespace springs {

struct Spring {
  double stiffness, length;
};

struct Chain {
  std::vector<Spring> springs; ///< Between each two neighbours.
  double gravity;
};

/// Of the positions of the chain's knots, one more than springs.
double energy(const Chain &chain, std::span<const double> positions);

/// Adds them to `forces`.
void forces(const Chain &chain, std::span<const double> positions, std::vector<double> &forces);

} // namespace springs
