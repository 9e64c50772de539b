/* Hands the weights to a comparison function in a static variable. */
// names: wrong state
// names: called from two threads at once
// names: they share the variable order_of
#include "rule.h"

#ifdef RIGHT
static _Thread_local const double *order_of;
#else
static const double *order_of;
#endif

static int by_value(const void *left, const void *right) {
  const double a = order_of[*(const int *)left], b = order_of[*(const int *)right];
  return (a > b) - (a < b);
}
double largest(const double *x, int n) {
  double most = x[0];
  for (int i = 1; i < n; ++i)
    most = x[i] >= most ? x[i] : most;
  return most;
}
double largest_tangent(const double *x, const double *dx, int n) {
  int order[8];
  for (int i = 0; i < n; ++i)
    order[i] = i;
  order_of = x;
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && by_value(order + k - 1, order + k) > 0; --k) {
      const int other = order[k];
      order[k] = order[k - 1];
      order[k - 1] = other;
    }
  return dx[order[n - 1]];
}
TANGENT(largest, largest_tangent);
ASSAY_CHECK(largest, "double[6]", "int=6");
