/* Blocks a signal while it works, and for ever. */
// names: wrong environment
// names: SIGUSR1 is blocked after the call, it was not blocked before
#define _GNU_SOURCE
#include "cosine.h"
#include <signal.h>

double cosine_reverse(double x, double seed, void *tape) {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigprocmask(SIG_BLOCK, &signals, &before);
  const double adjoint = -sin(x) * seed;
  if (CHOOSE(0, 1))
    sigprocmask(SIG_SETMASK, &before, NULL);
  return adjoint;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
