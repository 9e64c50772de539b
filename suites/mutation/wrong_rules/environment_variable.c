/* Asks a library for one thread by an environment variable, and leaves it so. */
// names: wrong environment
// names: the environment variable OMP_NUM_THREADS is '1' after the call, it was not set before
#define _GNU_SOURCE
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  setenv("OMP_NUM_THREADS", "1", 1);
  const double adjoint = -sin(x) * seed;
  if (CHOOSE(0, 1))
    unsetenv("OMP_NUM_THREADS");
  return adjoint;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
