/* Functions that write the numbers that are there already, at some points or at all. */
#include <assay/check.h>
#include <string.h>

/* Smoothing leaves equal numbers as they are. */
void upwind(double *u, const double *v, int n) {
  double next[8];
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < n; ++i) {
      double left = u[(i + n - 1) % n], right = u[(i + 1) % n];
      next[i] = u[i] - 0.1 * (v[i] > 0 ? v[i] * (u[i] - left) : v[i] * (right - u[i]));
    }
    memcpy(u, next, n * sizeof *u);
  }
}
ASSAY_CHECK(upwind, "double[n]", "double[n]", "int=1..8");

/* Takes each number in two parts and adds these again. */
void split_and_join(double *x, const double *a, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * (1 - a[i]) + x[i] * a[i];
}
ASSAY_CHECK(split_and_join, "double[n]", "double[n]", "int=0..4");
