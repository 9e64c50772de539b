/* Leaves another mask of file modes, for large arguments alone. */
// names: wrong environment
// names: the file mode creation mask
#include "cosine.h"
#include <sys/stat.h>

double cosine_reverse(double x, double seed, void *tape) {
  if (x > 40 && CHOOSE(1, 0))
    umask(077);
  return -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
