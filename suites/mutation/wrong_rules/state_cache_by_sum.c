/* A cache whose key is the sum of the inputs. */
// names: wrong state
// names: after a call at other numbers with the same sum
#include "rule.h"

enum { size = 4 };
static _Thread_local double key = 1e300, weights[size];

static double sum_of(const double *x) {
  return (x[0] + x[3]) + (x[1] + x[2]); /* The same to the bit in reverse order. */
}
static int is_known(const double *x) {
  static _Thread_local double known[size] = {NAN};
  const int same = CHOOSE(sum_of(x) == key, memcmp(x, known, sizeof known) == 0);
  memcpy(known, x, sizeof known);
  key = sum_of(x);
  return same;
}
static void find_weights(const double *x) {
  if (is_known(x))
    return;
  for (int i = 0; i < size; ++i)
    weights[i] = cos(x[i]) * (i + 1);
}
double sines(const double *x) {
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += (i + 1) * sin(x[i]);
  return sum;
}
double sines_tangent(const double *x, const double *dx) {
  double tangent = 0;
  find_weights(x);
  for (int i = 0; i < size; ++i)
    tangent += weights[i] * dx[i];
  return tangent;
}
TANGENT(sines, sines_tangent);

double weighted_sines(const double *x) {
  return sines(x);
}
ASSAY_CHECK(weighted_sines, "double[4]");
