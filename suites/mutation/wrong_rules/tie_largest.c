/* The sum of the squares of the three largest numbers; the rule gives all those an adjoint that are no less than the
 third one. */
// names: wrong derivative
#include "rule.h"

enum { count = 6, largest = 3 };

static void choose(const double *x, int *chosen) {
  for (int j = 0; j < largest; ++j) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      int is_taken = 0;
      for (int before = 0; before < j; ++before)
        is_taken |= chosen[before] == i;
      if (!is_taken && (best < 0 || x[i] > x[best]))
        best = i;
    }
    chosen[j] = best;
  }
}

double top(const double *x) {
  int chosen[largest];
  choose(x, chosen);
  double sum = 0;
  for (int j = 0; j < largest; ++j)
    sum += x[chosen[j]] * x[chosen[j]];
  return sum;
}
struct augmented top_augmented(const double *x, double *dx) {
  return with_tape(keep(x, count * sizeof *x), top(x));
}
void top_reverse(const double *unused, double *dx, double seed, double *x) {
  int chosen[largest];
  choose(x, chosen);
  for (int i = 0; i < count; ++i) {
    int is_chosen = 0;
    for (int j = 0; j < largest; ++j)
      is_chosen |= chosen[j] == i;
    if (CHOOSE(x[i] >= x[chosen[largest - 1]], is_chosen))
      dx[i] += 2 * x[i] * seed;
  }
  free(x);
}
GRADIENT(top, top_augmented, top_reverse);

double uses_top(const double *x) {
  return top(x);
}
ASSAY_CHECK(uses_top, "double[6]");
