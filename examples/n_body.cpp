// Kinetic and potential energy of bodies under gravity, in C++ with small value types inside.
//
// The vector class, its operators and the inlined lambda are gone by the time that the program is differentiated.

#include <assay/check.h>
#include <cmath>

namespace {

struct Vector {
  double x, y, z;
  Vector operator-(const Vector &other) const { return {x - other.x, y - other.y, z - other.z}; }
  double dot(const Vector &other) const { return x * other.x + y * other.y + z * other.z; }
};

Vector vector_at(const double *numbers, int index) {
  return {numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]};
}

template <typename Visit>
void for_each_pair(int bodies, const Visit &visit) {
  for (int first = 0; first < bodies; ++first)
    for (int second = first + 1; second < bodies; ++second)
      visit(first, second);
}

} // namespace

double energy(const double *positions, const double *velocities, const double *masses, int bodies) {
  double kinetic = 0, potential = 0;
  for (int body = 0; body < bodies; ++body) {
    const Vector velocity = vector_at(velocities, body);
    kinetic += 0.5 * masses[body] * velocity.dot(velocity);
  }
  for_each_pair(bodies, [&](int first, int second) {
    const Vector between = vector_at(positions, second) - vector_at(positions, first);
    // Softened, as in simulations of galaxies: two bodies may meet.
    potential -= masses[first] * masses[second] / std::sqrt(between.dot(between) + 0.01);
  });
  return kinetic + potential;
}
ASSAY_CHECK(energy, "double[4x3]", "double[4x3]", "double[4]:(0.5,2)", "int=4");
