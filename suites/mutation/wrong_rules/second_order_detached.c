/* Computes its partial derivative from a copy of the argument that is declared inactive. */
// names: wrong derivative
// names: second derivative, forward over reverse
// names: the first derivative is right, and its own derivative is not: that of adjoint of
#include "cosine.h"

__attribute__((noinline)) double detached(double x) {
  return x;
}
void *__enzyme_inactivefn_detached[] = {(void *)detached};

double cosine_reverse(double x, double seed, void *tape) {
  return -sin(CHOOSE(detached(x), x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
