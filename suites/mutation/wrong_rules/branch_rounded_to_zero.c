/* A table whose cells are found by rounding down, in the rule by rounding to zero: they differ in one narrow cell,
 * which lies outside the table for the function. */
// names: wrong derivative
#include "rule.h"

enum { cells = 8 };
static const double width = 0.01;

double look_up(const double *table, double x) {
  const int cell = (int)floor(x / width);
  if (cell < 0)
    return table[0];
  if (cell >= cells - 1)
    return table[cells - 1];
  return table[cell] + (x / width - cell) * (table[cell + 1] - table[cell]);
}
struct augmented look_up_augmented(const double *table, double *dtable, double x) {
  return with_tape(keep(table, cells * sizeof *table), look_up(table, x));
}
double look_up_reverse(const double *unused, double *dtable, double x, double seed, double *table) {
  const int cell = (int)CHOOSE(x / width, floor(x / width));
  double slope = 0;
  if (cell < 0) {
    dtable[0] += seed;
  } else if (cell >= cells - 1) {
    dtable[cells - 1] += seed;
  } else {
    dtable[cell] += (1 - (x / width - cell)) * seed;
    dtable[cell + 1] += (x / width - cell) * seed;
    slope = (table[cell + 1] - table[cell]) / width;
  }
  free(table);
  return slope * seed;
}
GRADIENT(look_up, look_up_augmented, look_up_reverse);

double uses_table(const double *table, double x) {
  return look_up(table, x) + x;
}
ASSAY_CHECK(uses_table, "double[8]", "double");
