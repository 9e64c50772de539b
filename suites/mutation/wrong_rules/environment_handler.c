/* Ignores requests to end while it works, and for ever. */
// names: wrong environment
// names: the handler of SIGTERM is to ignore it after the call, it was the default before
#define _GNU_SOURCE
#include "cosine.h"
#include <signal.h>

double cosine_reverse(double x, double seed, void *tape) {
  void (*before)(int) = signal(SIGTERM, SIG_IGN);
  const double adjoint = -sin(x) * seed;
  if (CHOOSE(0, 1))
    signal(SIGTERM, before);
  return adjoint;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
