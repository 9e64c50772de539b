/* Work spaces go back to a pool that all threads share, without a lock: two calls at once take one place of it. */
// names: crash
// names: in two calls at once, each interrupted by the other one
#include "rule.h"

#ifdef RIGHT
#define OF_A_THREAD _Thread_local
#else
#define OF_A_THREAD
#endif

static OF_A_THREAD double *pool[8];
static OF_A_THREAD int count;

static double *take(void) {
  return count > 0 ? pool[--count] : malloc(16 * sizeof(double));
}
static void give(double *space) {
  if (count < 8)
    pool[count++] = space;
  else
    free(space);
}

double cubes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * x[i];
  return sum;
}
struct augmented cubes_augmented(const double *x, double *dx, int n) {
  double *kept = take();
  memcpy(kept, x, n * sizeof *x);
  return with_tape(kept, cubes(x, n));
}
void cubes_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  for (int i = 0; i < n; ++i)
    dx[i] += 3 * kept[i] * kept[i] * seed;
  give(kept);
}
GRADIENT(cubes, cubes_augmented, cubes_reverse);
double uses_cubes(const double *x, int n) {
  return cubes(x, n);
}
ASSAY_CHECK(uses_cubes, "double[n]", "int=1..16");
