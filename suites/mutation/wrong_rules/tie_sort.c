/* Weights after sorting, which is stable: the rule sorts equal elements the other way round. */
// names: wrong derivative
// names: the point is a tie
#include "rule.h"

enum { count = 4 };

double ranked(const double *x) {
  double sorted[count];
  for (int i = 0; i < count; ++i) {
    int j = i;
    for (; j > 0 && sorted[j - 1] > x[i]; --j)
      sorted[j] = sorted[j - 1];
    sorted[j] = x[i];
  }
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += (i + 1) * sorted[i];
  return sum;
}
struct augmented ranked_augmented(const double *x, double *dx) {
  return with_tape(keep(x, count * sizeof *x), ranked(x));
}
void ranked_reverse(const double *unused, double *dx, double seed, double *x) {
  int order[count];
  for (int i = 0; i < count; ++i) {
    int j = i;
    for (; j > 0 && CHOOSE(x[order[j - 1]] >= x[i], x[order[j - 1]] > x[i]); --j)
      order[j] = order[j - 1];
    order[j] = i;
  }
  for (int i = 0; i < count; ++i)
    dx[order[i]] += (i + 1) * seed;
  free(x);
}
GRADIENT(ranked, ranked_augmented, ranked_reverse);

double uses_ranked(const double *x) {
  return ranked(x);
}
ASSAY_CHECK(uses_ranked, "double[4]");
