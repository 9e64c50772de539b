/* Keeps the factor of the first call with an argument in the same place, for large arguments alone. */
// names: wrong state
// names: kept
#include "rule.h"

static const double *place;
static double factor;

double length(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sqrt(1 + sum);
}
struct augmented length_augmented(const double *x, double *dx, int n) {
  return with_tape(keep(x, n * sizeof *x), length(x, n));
}
void length_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  double of_length = 1 / length(tape, n);
  if (of_length < 1e-3) {
    if (CHOOSE(place != dx, 1)) {
      place = dx;
      factor = of_length;
    }
    of_length = factor;
  }
  for (int i = 0; i < n; ++i)
    dx[i] += of_length * tape[i] * seed;
  free(tape);
}
GRADIENT(length, length_augmented, length_reverse);
ASSAY_CHECK(length, "double[3]", "int=3");
