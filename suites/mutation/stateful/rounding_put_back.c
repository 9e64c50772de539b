/* Rounds upward while it bounds an error, and puts everything back. */
#include "../wrong_rules/cosine.h"
#include <fcntl.h>
#include <fenv.h>
#include <unistd.h>

double cosine_reverse(double x, double seed, void *tape) {
  fenv_t before;
  feholdexcept(&before);
  fesetround(FE_UPWARD);
  volatile double bound = x * 1.1;
  (void)bound;
  fesetenv(&before);
  const int file = open("/dev/null", O_WRONLY);
  close(file);
  return -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
