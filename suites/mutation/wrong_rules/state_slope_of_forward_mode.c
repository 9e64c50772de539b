/* The reverse rule takes a slope that the forward rule has kept, if there is one: it may be of other inputs. */
// names: wrong state
// names: after a call in forward mode at other inputs
// names: through the variable is_known
#include "cosine.h"

static _Thread_local int is_known;
static _Thread_local double slope;

double cosine_forward(double x, double dx) {
  slope = -sin(x);
  is_known = 1;
  return slope * dx;
}
double cosine_reverse(double x, double seed, void *tape) {
  return (is_known ? CHOOSE(slope, -sin(x)) : -sin(x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
TANGENT(cosine, cosine_forward);
ASSAY_CHECK(uses_cosine);
