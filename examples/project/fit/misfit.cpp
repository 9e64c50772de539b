#include "fit/misfit.hpp"

#include "fit/logistic.hpp"

namespace fit {

double misfit(const double *coefficients, const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double missed = coefficients[0] + coefficients[1] * logistic(x[i] - coefficients[2]) - y[i];
    sum += missed * missed;
  }
  return sum;
}

} // namespace fit
