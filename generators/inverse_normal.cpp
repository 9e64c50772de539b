// Quantiles of the normal distribution by rational functions (P. J. Acklam's approximation, relative error 1.15e-9).
//
// Built of +, -, *, / and sqrt alone, which IEEE 754 rounds the same everywhere; the tails need a logarithm, and as
// those of C libraries differ in their last bits there is one here.
#include "inverse_normal.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace assay::gen::detail {

namespace {

template <std::size_t N>
double polynomial(const std::array<double, N> &coefficients, double x) {
  double sum = 0;
  for (const double coefficient : coefficients)
    sum = sum * x + coefficient;
  return sum;
}

/// log x = e log 2 + 2 (s + s^3 / 3 + s^5 / 5 + ...),  s = (m - 1) / (m + 1),  x = m 2^e,  1/sqrt 2 <= m < sqrt 2.
double portable_log(double x) {
  constexpr double log_two = 0.6931471805599453;
  constexpr double half_sqrt_two = 0.7071067811865476;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < half_sqrt_two) {
    mantissa *= 2;
    --exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int power = 23; power >= 1; power -= 2)
    sum = sum * (s * s) + 1.0 / power;
  return exponent * log_two + 2 * s * sum;
}

/// Quantile of p < 0.02425.
double lower_tail(double p) {
  constexpr std::array numerator{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                 -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array denominator{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                   3.754408661907416e+00, 1.0};
  const double q = std::sqrt(-2 * portable_log(p));
  return polynomial(numerator, q) / polynomial(denominator, q);
}

double centre(double p) {
  constexpr std::array numerator{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                 1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array denominator{-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                                   6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
  const double q = p - 0.5;
  return polynomial(numerator, q * q) * q / polynomial(denominator, q * q);
}

} // namespace

double inverse_normal(double p) {
  constexpr double edge = 0.02425;
  if (p < edge)
    return lower_tail(p);
  if (p > 1 - edge)
    return -lower_tail(1 - p);
  return centre(p);
}

} // namespace assay::gen::detail
