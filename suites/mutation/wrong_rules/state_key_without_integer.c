/* A cache whose key lacks an integer: the order of the polynomial. */
// names: wrong state
// names: after a call with order = 6 and the same numbers
// names: through the variable
#include "rule.h"

static _Thread_local double known = NAN, slope;
static _Thread_local int known_order = -1;

/* Chebyshev's polynomials, of the first and of the second kind. */
static double next_after(double before, double last, double x, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double next = 2 * x * last - before;
    before = last;
    last = next;
  }
  return last;
}
double chebyshev(double x, int order) {
  return next_after(1, x, x, order - 1);
}
struct augmented chebyshev_augmented(double x, int order) {
  return no_tape(chebyshev(x, order));
}
double chebyshev_reverse(double x, int order, double seed, void *tape) {
  if (x != known || CHOOSE(0, order != known_order)) {
    known = x;
    known_order = order;
    slope = order * next_after(0, 1, x, order - 1);
  }
  return seed * slope;
}
GRADIENT(chebyshev, chebyshev_augmented, chebyshev_reverse);
double uses_chebyshev(double x, int order) {
  return chebyshev(x, order);
}
ASSAY_CHECK(uses_chebyshev, "double", "int=1..6");
