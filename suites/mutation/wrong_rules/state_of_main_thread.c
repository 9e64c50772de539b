/* A workspace of each thread that only the main one has: a constructor makes it. */
// names: crash in reverse
// names: called from a thread that has just begun
// names: mean_augmented and mean_reverse
#include "rule.h"

static _Thread_local double *work;
__attribute__((constructor)) static void make(void) {
  work = malloc(64 * sizeof *work);
}

double mean(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += exp(x[i]);
  return sum;
}
struct augmented mean_augmented(const double *x, double *dx, int n) {
  double *kept = malloc(n * sizeof *kept);
  memcpy(kept, x, n * sizeof *kept);
  struct augmented result = {kept, mean(x, n)};
  return result;
}
void mean_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  double local[64], *const slopes = CHOOSE(work, local);
  for (int i = 0; i < n; ++i)
    slopes[i] = exp(kept[i]);
  for (int i = 0; i < n; ++i)
    dx[i] += seed * slopes[i];
  free(kept);
}
GRADIENT(mean, mean_augmented, mean_reverse);
double uses_mean(const double *x, int n) {
  return mean(x, n);
}
ASSAY_CHECK(uses_mean, "double[5]", "int=5");
