/* Its tape is a mapping of its own, which the reverse sweep does not unmap. */
// names: wrong release
// names: a mapping of 4096 bytes that cube_augmented made
#include "rule.h"
#include <sys/mman.h>

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  double *tape = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *tape = 3 * x * x;
  return with_tape(tape, cube(x));
}
double cube_reverse(double x, double seed, double *tape) {
  const double slope = *tape;
  if (CHOOSE(0, 1))
    munmap(tape, 4096);
  return slope * seed;
}
GRADIENT(cube, cube_augmented, cube_reverse);
double uses_cube(double x, double y) {
  return cube(x) * y;
}
ASSAY_CHECK(uses_cube);
