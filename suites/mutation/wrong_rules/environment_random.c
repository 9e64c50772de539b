/* Draws a number of its own from the random numbers that the program draws from. */
// names: wrong environment
// names: the C library's random numbers go on from another state after the call than before
#define _GNU_SOURCE
#include "cosine.h"

double cosine_tangent(double x, double dx) {
  const double drawn = CHOOSE(rand() / (double)RAND_MAX, 0.5);
  return -sin(x) * dx * (drawn < 2);
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
