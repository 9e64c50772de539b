/* Goes elsewhere and stays there. */
// names: wrong environment
// names: the working directory is / after the call
#include "cosine.h"
#include <unistd.h>

double cosine_tangent(double x, double dx) {
  char before[4096];
  if (getcwd(before, sizeof before) && chdir("/") == 0 && CHOOSE(0, 1))
    (void)!chdir(before);
  return -sin(x) * dx;
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
