#include "springs/chain.hpp"

#include <cmath>

extern "C" {

/// A length that has a derivative at 0.
double soft_length(double x) {
  return std::sqrt(x * x + 1e-2);
}

// Its rule: the derivative follows from the value.
static double soft_length_value(double x) {
  return soft_length(x);
}
static double soft_length_reverse(double x, double adjoint) {
  return adjoint * x / soft_length(x);
}
void *__enzyme_register_gradient_soft_length[] = {(void *)soft_length, (void *)soft_length_value,
                                                  (void *)soft_length_reverse};
}

namespace springs {

double energy(const Chain &chain, std::span<const double> positions) {
  double sum = 0;
  for (std::size_t i = 0; i < chain.springs.size(); ++i) {
    const Spring &spring = chain.springs[i];
    const double stretch = soft_length(positions[i + 1] - positions[i]) - spring.length;
    sum += spring.stiffness * stretch * stretch / 2 + chain.gravity * positions[i];
  }
  return sum;
}

void forces(const Chain &chain, std::span<const double> positions, std::vector<double> &forces) {
  for (std::size_t i = 0; i < chain.springs.size(); ++i) {
    const double distance = positions[i + 1] - positions[i];
    const double length = soft_length(distance);
    const double force = chain.springs[i].stiffness * (length - chain.springs[i].length) * distance / length;
    forces[i] += force - chain.gravity;
    forces[i + 1] -= force;
  }
}

} // namespace springs
