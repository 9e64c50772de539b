/* Writes numbers in the plain locale, and leaves the thread in it. */
// names: wrong environment
// names: the locale of the thread
#define _GNU_SOURCE
#include "rule.h"
#include <locale.h>
#include <stdio.h>

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  return no_tape(cube(x));
}
double cube_reverse(double x, double seed, void *tape) {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", 0), before = uselocale(plain);
  char text[40];
  snprintf(text, sizeof text, "%.17g", x);
  if (CHOOSE(0, 1)) {
    uselocale(before);
    freelocale(plain);
  }
  return 3 * x * x * seed;
}
GRADIENT(cube, cube_augmented, cube_reverse);
double uses_cube(double x) {
  return cube(x);
}
ASSAY_CHECK(uses_cube);
