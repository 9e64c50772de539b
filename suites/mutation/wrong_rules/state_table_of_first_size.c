/* Makes its table at the first call, from that call's argument. */
// names: wrong state
// names: through the variable
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  static double *table;
  if (!table) {
    table = malloc(2 * sizeof *table);
    table[0] = CHOOSE(sin(x), 1);
    table[1] = 1;
  }
  return -CHOOSE(table[0], sin(x) * table[0]) * table[1] * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
