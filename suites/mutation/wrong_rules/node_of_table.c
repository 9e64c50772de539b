/* At a node the slope of the piece on the left, where the program takes the one on the right. No number of the domain
 * is 0 or 1. */
// names: wrong derivative
// names: the point is a tie of a conversion to an integer
#include "rule.h"

double table(const double *y, double x) {
  const int i = (int)x;
  const double t = x - i;
  return (1 - t) * y[i] + t * y[i + 1];
}
struct augmented table_augmented(const double *y, double *dy, double x) {
  const double ends[2] = {CHOOSE(y[(int)ceil(x) - 1], y[(int)x]), CHOOSE(y[(int)ceil(x)], y[(int)x + 1])};
  return with_tape(keep(ends, sizeof ends), table(y, x));
}
double table_reverse(const double *y, double *dy, double x, double seed, double *kept) {
  const double slope = kept[1] - kept[0];
  const int i = (int)x;
  dy[i] += (1 - (x - i)) * seed;
  dy[i + 1] += (x - i) * seed;
  free(kept);
  return slope * seed;
}
GRADIENT(table, table_augmented, table_reverse);
double uses_table(const double *y, double x) {
  return table(y, x);
}
ASSAY_CHECK(uses_table, "double[8]", "double:(1.5,5.5)");
