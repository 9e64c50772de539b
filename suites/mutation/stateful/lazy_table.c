/* A table on the heap that the first call makes, for good. */
#include "../wrong_rules/rule.h"

static double *table;

static double factor(int k) {
  if (!table) {
    table = malloc(8 * sizeof *table);
    for (int i = 0; i < 8; ++i)
      table[i] = 1.0 / (i + 1);
  }
  return table[k];
}
double series(double x) {
  double sum = 0, power = 1;
  for (int k = 0; k < 8; ++k, power *= x)
    sum += power / (k + 1);
  return sum;
}
double series_tangent(double x, double dx) {
  double sum = 0, power = 1;
  for (int k = 1; k < 8; ++k, power *= x)
    sum += k * factor(k) * power;
  return sum * dx;
}
TANGENT(series, series_tangent);
ASSAY_CHECK(series, "double:unit");
