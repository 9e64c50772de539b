// Static objects that are made at the first call and destroyed at the end, one of them for each thread.
#include <assay/check.h>
#include <cmath>
#include <vector>

extern "C" {
static const std::vector<double> &weights() {
  static const std::vector<double> all{1, 0.5, 0.25, 0.125};
  return all;
}

double weighted(const double *x) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += weights()[i] * std::sin(x[i]);
  return sum;
}

double cosine(double x) {
  return std::cos(x);
}
double cosine_tangent(double x, double dx) {
  static thread_local std::vector<double> scratch;
  scratch.assign(4, 0);
  for (int i = 0; i < 4; ++i)
    scratch[i] = weights()[i] * std::sin(x) * dx / 1.875;
  return -(scratch[0] + scratch[1] + scratch[2] + scratch[3]);
}
void *__enzyme_register_derivative_cosine[] = {(void *)cosine, (void *)cosine_tangent};
}
ASSAY_CHECK(weighted, "double[4]");
ASSAY_CHECK(cosine);
