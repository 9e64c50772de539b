/* Sets an alarm, in case it takes long, and does not take it back. */
// names: wrong environment
// names: an alarm is set after the call
#define _GNU_SOURCE
#include "cosine.h"
#include <unistd.h>

double cosine_reverse(double x, double seed, void *tape) {
  alarm(3600);
  const double adjoint = -sin(x) * seed;
  if (CHOOSE(0, 1))
    alarm(0);
  return adjoint;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
