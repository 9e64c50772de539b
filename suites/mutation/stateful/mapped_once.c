/* Memory that the first call maps and all later ones use. */
#include "../registration.h"
#include <sys/mman.h>

static double *scratch;

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  if (!scratch)
    scratch = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return with_tape(keep(&x, sizeof x), cube(x));
}
double cube_reverse(double unused, double seed, double *tape) {
  double buffer = 3 * tape[0] * tape[0];
  free(tape);
  return buffer * seed;
}
GRADIENT(cube, cube_augmented, cube_reverse);
double uses_cube(double x, double y) {
  return cube(x) * y;
}
ASSAY_CHECK(uses_cube);
