/* The tangent is computed with a sum of squares that is declared inactive. */
// names: wrong derivative
// names: second derivative, forward over forward
// names: that of result is
#include "rule.h"

__attribute__((noinline)) double squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
__attribute__((noinline)) double detached_squares(const double *x, int n) {
  return squares(x, n);
}
void *__enzyme_inactivefn_squares[] = {(void *)detached_squares};

double norm(const double *x, int n) {
  return sqrt(squares(x, n));
}
double norm_tangent(const double *x, const double *dx, int n) {
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent += x[i] * dx[i];
  return tangent / sqrt(CHOOSE(detached_squares(x, n), squares(x, n)));
}
TANGENT(norm, norm_tangent);
ASSAY_CHECK(norm, "double[4]:positive", "int=4");
