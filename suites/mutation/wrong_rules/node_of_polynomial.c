/* At one of the nodes of the barycentric formula, where it would divide by zero, the slope has the wrong sign. */
// names: wrong derivative
#include "rule.h"

static const double nodes[5] = {-1, -0.7071067811865476, 0, 0.7071067811865476, 1}, weights[5] = {0.5, -1, 1, -1, 0.5};

double lagrange(const double *f, double x) {
  double divided[5], p = 0;
  for (int i = 0; i < 5; ++i)
    divided[i] = f[i];
  for (int k = 1; k < 5; ++k)
    for (int i = 4; i >= k; --i)
      divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - k]);
  for (int i = 4; i >= 0; --i)
    p = p * (x - nodes[i]) + divided[i];
  return p;
}
struct augmented lagrange_augmented(const double *f, double *df, double x) {
  return with_tape(keep(f, 5 * sizeof *f), lagrange(f, x));
}
double lagrange_reverse(const double *unused, double *df, double x, double seed, double *f) {
  double denominator = 0, numerator = 0, of_denominator = 0, of_numerator = 0, slope = 0;
  int node = -1;
  for (int i = 0; i < 5; ++i)
    if (x == nodes[i])
      node = i;
  for (int i = 0; i < 5 && node < 0; ++i) {
    const double part = weights[i] / (x - nodes[i]);
    denominator += part;
    numerator += part * f[i];
    of_denominator -= part / (x - nodes[i]);
    of_numerator -= part / (x - nodes[i]) * f[i];
  }
  if (node < 0)
    slope = (of_numerator - numerator / denominator * of_denominator) / denominator;
  for (int i = 0; i < 5; ++i)
    if (node < 0)
      df[i] += seed * weights[i] / (x - nodes[i]) / denominator;
    else if (i == node)
      df[i] += seed;
    else
      slope += CHOOSE(node == 3 ? -1 : 1, 1) * weights[i] / weights[node] * (f[i] - f[node]) / (nodes[node] - nodes[i]);
  free(f);
  return slope * seed;
}
GRADIENT(lagrange, lagrange_augmented, lagrange_reverse);
double uses_lagrange(const double *f, double x) {
  return lagrange(f, x);
}
ASSAY_CHECK(uses_lagrange, "double[5]", "double:(-1,1)");
