/* Allows fewer open files while it runs, and afterwards. */
// names: wrong environment
// names: the limit of open files
#include "rule.h"
#include <sys/resource.h>

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  return no_tape(cube(x));
}
double cube_reverse(double x, double seed, void *tape) {
  struct rlimit before, few;
  getrlimit(RLIMIT_NOFILE, &before);
  few = before;
  few.rlim_cur = before.rlim_cur - 1;
  setrlimit(RLIMIT_NOFILE, &few);
  const double slope = 3 * x * x;
  if (CHOOSE(0, 1))
    setrlimit(RLIMIT_NOFILE, &before);
  return slope * seed;
}
GRADIENT(cube, cube_augmented, cube_reverse);
double uses_cube(double x) {
  return cube(x);
}
ASSAY_CHECK(uses_cube);
