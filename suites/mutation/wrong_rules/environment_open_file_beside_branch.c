/* The file is closed for some inputs only. */
// names: wrong environment
// names: a file descriptor stays open
#include "rule.h"
#include <stdio.h>

double square(double x) {
  return x * x;
}
struct augmented square_augmented(double x) {
  return no_tape(square(x));
}
double square_reverse(double x, double seed, void *tape) {
  FILE *log = fopen("/dev/null", "w");
  if (log && CHOOSE(x < 0, 1))
    fclose(log);
  return 2 * x * seed;
}
GRADIENT(square, square_augmented, square_reverse);

double logged(double x) {
  return square(x);
}
ASSAY_CHECK(logged, "double:(-2,2)");
