/* Works in the memory of an argument that the function only reads, and puts back what was there. */
// names: wrong state
// names: the derivative writes to x, which the function only reads
#include "rule.h"

enum { most = 8 };
double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sin(2 * x[i]) * x[(i + 1) % n];
  return sum;
}
__attribute__((noinline)) static double slope_at(const double *twice, const double *dx, int n) {
  double slope = 0;
  for (int i = 0; i < n; ++i)
    slope += cos(twice[i]) * dx[i] * twice[(i + 1) % n] + sin(twice[i]) * dx[(i + 1) % n];
  return slope;
}
double energy_tangent(double *x, const double *dx, int n) {
  double own[most], *twice = CHOOSE(x, own);
  for (int i = 0; i < n; ++i)
    twice[i] = 2 * x[i];
  const double slope = slope_at(twice, dx, n);
  for (int i = 0; i < n; ++i)
    twice[i] /= 2;
  return slope;
}
TANGENT(energy, energy_tangent);
double uses_energy(const double *x, int n) {
  return energy(x, n);
}
ASSAY_CHECK(uses_energy, "double[n]", "int=1..8");
