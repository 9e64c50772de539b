/* The adjoint of a complex factor is the other factor, not conjugated. */
// names: wrong derivative
// names: conjugate: the imaginary parts
#include "rule.h"

/* The real part of (2 + 3i) z. */
double real_of_product(const double *z) {
  return 2 * z[0] - 3 * z[1];
}
struct augmented real_of_product_augmented(const double *z, double *dz) {
  return no_tape(real_of_product(z));
}
void real_of_product_reverse(const double *z, double *dz, double seed, void *tape) {
  dz[0] += 2 * seed;
  dz[1] += CHOOSE(3, -3) * seed;
}
GRADIENT(real_of_product, real_of_product_augmented, real_of_product_reverse);

double uses_product(const double *z) {
  return real_of_product(z) + real_of_product(z + 2);
}
ASSAY_CHECK(uses_product, "double[4]");
