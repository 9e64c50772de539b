/* Measures its own time by a timer that it does not delete. */
// names: wrong environment
// names: a timer is there after the call
#include "rule.h"
#include <signal.h>
#include <time.h>

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  return no_tape(cube(x));
}
double cube_reverse(double x, double seed, void *tape) {
  timer_t timer;
  struct sigevent silent = {.sigev_notify = SIGEV_NONE};
  timer_create(CLOCK_MONOTONIC, &silent, &timer);
  const double slope = 3 * x * x;
  if (CHOOSE(0, 1))
    timer_delete(timer);
  return slope * seed;
}
GRADIENT(cube, cube_augmented, cube_reverse);
double uses_cube(double x) {
  return cube(x);
}
ASSAY_CHECK(uses_cube);
