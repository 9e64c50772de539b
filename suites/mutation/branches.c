/* Different code for different points. */
#include <assay/check.h>
#include <math.h>

double pieces(double x, double y) {
  double result = x * y;
  if (x > 0.3)
    result += sin(x) * y;
  else
    result -= x * x * y * y;
  return y < 0 ? -2 * result : result * result;
}
ASSAY_CHECK(pieces);

double early(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 1)
      continue;
    sum += x[i] * x[i];
    if (sum > 3)
      return sum * x[i];
  }
  return sum;
}
ASSAY_CHECK(early, "double[6]", "int=6");

double by_case(const double *x, int n) {
  double sum = 1;
  for (int i = 0; i < n; ++i)
    switch (i % 3) {
    case 0:
      sum *= x[i];
      break;
    case 1:
      sum += exp(x[i]);
      break;
    default:
      sum = sum / (2 + x[i] * x[i]);
    }
  return sum;
}
ASSAY_CHECK(by_case, "double[7]", "int=7");

double largest(const double *x, int n) {
  double best = x[0];
  for (int i = 1; i < n; ++i)
    best = x[i] > best ? x[i] : best;
  return best * best + fabs(x[1]);
}
ASSAY_CHECK(largest, "double[5]", "int=5");
