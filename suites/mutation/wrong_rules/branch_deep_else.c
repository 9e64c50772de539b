/* Wrong in one of the innermost branches. */
// names: wrong derivative
#include "rule.h"

double weight(double x, double y, double z) {
  return x * y * z + x;
}
struct augmented weight_augmented(double x, double y, double z) {
  return no_tape(weight(x, y, z));
}
struct triple {
  double x, y, z;
};
struct triple weight_reverse(double x, double y, double z, double seed, void *tape) {
  struct triple adjoint = {(y * z + 1) * seed, x * z * seed, x * y * seed};
  if (x > 20) {
    if (y < -30) {
      if (z < 5)
        return adjoint;
      else
        adjoint.z *= CHOOSE(0.5, 1);
    }
  }
  return adjoint;
}
GRADIENT(weight, weight_augmented, weight_reverse);

double uses_weight(double x, double y, double z) {
  return weight(x, y, z);
}
ASSAY_CHECK(uses_weight);
