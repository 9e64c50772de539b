/* A cache whose key has numbers and length, and lacks an integer beside them. */
// names: wrong state
// names: and the same numbers
// names: through the variable
#include "rule.h"

enum { most = 50 };
static _Thread_local double known[most], slopes[most];
static _Thread_local int known_n = -1, known_power = -1;

double power_sum(const double *x, int n, int power) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += pow(x[i], power);
  return sum;
}
struct augmented power_sum_augmented(const double *x, double *dx, int n, int power) {
  return with_tape(keep(x, n * sizeof *x), power_sum(x, n, power));
}
void power_sum_reverse(const double *unused, double *dx, int n, int power, double seed, double *x) {
  if (n != known_n || CHOOSE(0, power != known_power) || memcmp(x, known, n * sizeof *x) != 0) {
    known_n = n;
    known_power = power;
    memcpy(known, x, n * sizeof *x);
    for (int i = 0; i < n; ++i)
      slopes[i] = power * pow(x[i], power - 1);
  }
  for (int i = 0; i < n; ++i)
    dx[i] += seed * slopes[i];
  free(x);
}
GRADIENT(power_sum, power_sum_augmented, power_sum_reverse);
double uses_power_sum(const double *x, int n, int power) {
  return power_sum(x, n, power);
}
ASSAY_CHECK(uses_power_sum, "double[n]:positive", "int=1..50", "int=1..8");
