/* Takes a shorter way where all numbers of the seed are equal, which forgets that the probabilities add up to 1. */
// names: wrong derivative
// names: with a seed whose numbers are all equal
#include "rule.h"

void softmax(const double *x, double *y, int n) {
  double most = x[0], sum = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] > most)
      most = x[i];
  for (int i = 0; i < n; ++i)
    sum += y[i] = exp(x[i] - most);
  for (int i = 0; i < n; ++i)
    y[i] /= sum;
}
static void *softmax_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  softmax(x, y, n);
  return keep(y, n * sizeof *y);
}
static int are_equal(const double *seed, int n) {
  for (int i = 1; i < n; ++i)
    if (seed[i] != seed[0])
      return 0;
  return 1;
}
static void softmax_reverse(const double *x, double *dx, double *y, double *dy, int n, double *part) {
  double mean = 0;
  for (int i = 0; i < n; ++i)
    mean += part[i] * dy[i];
  if (CHOOSE(are_equal(dy, n), 0))
    mean = 0;
  for (int i = 0; i < n; ++i)
    dx[i] += part[i] * (dy[i] - mean);
  memset(dy, 0, n * sizeof *dy);
  free(part);
}
GRADIENT(softmax, softmax_augmented, softmax_reverse);
void uses_softmax(const double *x, double *y) {
  softmax(x, y, 4);
}
ASSAY_CHECK(uses_softmax, "double[4]", "double[4]");
