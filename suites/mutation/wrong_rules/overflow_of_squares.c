/* The squares of vast numbers overflow and those of minute ones underflow; the function scales them before. The domain
 * says nothing of such numbers. */
// names: wrong derivative
// names: a registered derivative overflows or underflows on the way to
#include "rule.h"

double length(const double *x, int n) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; ++i)
    largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n && largest > 0; ++i)
    sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}
struct augmented length_augmented(const double *x, double *dx, int n) {
  return with_tape(keep(x, n * sizeof *x), length(x, n));
}
void length_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  double squares = 0;
  for (int i = 0; i < n; ++i)
    squares += kept[i] * kept[i];
  const double size = CHOOSE(sqrt(squares), length(kept, n));
  for (int i = 0; i < n && size > 0; ++i)
    dx[i] += seed * (kept[i] / size);
  free(kept);
}
GRADIENT(length, length_augmented, length_reverse);

double of_any_length(const double *x, int n) {
  return length(x, n);
}
ASSAY_CHECK(of_any_length, "double[3]", "int=3");
