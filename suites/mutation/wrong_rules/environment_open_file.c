/* Opens a file and does not close it. */
// names: wrong environment
// names: a file descriptor stays open after the call
#include "cosine.h"
#include <fcntl.h>
#include <unistd.h>

double cosine_tangent(double x, double dx) {
  const int file = open("/dev/null", O_WRONLY);
  if (CHOOSE(0, 1))
    close(file);
  return -sin(x) * dx;
}
TANGENT(cosine, cosine_tangent);
ASSAY_CHECK(uses_cosine);
