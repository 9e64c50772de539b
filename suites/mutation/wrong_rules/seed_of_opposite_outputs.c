/* A rotation that takes adjoints which are opposite for ones that cancel. */
// names: wrong derivative
// names: ones in one array and minus ones in the next
#include "rule.h"

void turn(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = 0.8 * a + 0.6 * b;
    y[i] = 0.8 * b - 0.6 * a;
  }
}
void *turn_augmented(double *x, double *dx, double *y, double *dy, int n) {
  turn(x, y, n);
  return NULL;
}
void turn_reverse(double *x, double *dx, double *y, double *dy, int n, void *tape) {
  for (int i = 0; i < n; ++i) {
    const double p = dx[i], q = dy[i];
    dx[i] = 0.8 * p - 0.6 * q;
    dy[i] = 0.6 * p + CHOOSE(p == -q ? -0.8 : 0.8, 0.8) * q;
  }
}
GRADIENT(turn, turn_augmented, turn_reverse);
void uses_turn(double *x, double *y, int n) {
  turn(x, y, n);
}
ASSAY_CHECK(uses_turn, "double[3]", "double[3]", "int=3");
