// The complex step: f'(x) = Im f(x + i h) / h + O(h^2) for a function that is analytic and real on the real axis
// (Squire and Trapp 1998). Nothing is subtracted, so h can be so short that the result is right to the last digits.
//
// The function is a template: it is called with std::complex<T>. One that is not analytic (fabs, comparisons of the
// argument, real parts taken) gives nonsense there, so the answer is held against a finite difference on the real axis.
#pragma once

#include <assay/fdm/method.hpp>

#include <cmath>
#include <complex>
#include <limits>

namespace assay::fdm {

namespace detail {

template <class T>
T complex_step_length(T x) {
  const int shift = x == 0 ? std::numeric_limits<T>::min_exponent / 4 : -2 * std::numeric_limits<T>::digits;
  return std::ldexp(x == 0 ? T(1) : std::fabs(x), shift);
}

/// As near as a finite difference can tell; a wrong complex step is wrong by much more.
template <class T, class F>
bool agrees_with_difference(F &f, T x, T value) {
  const auto real = [&](T at) -> T { return std::real(std::complex<T>(f(std::complex<T>(at)))); };
  const Estimate<T> difference = central_fdm(5, 1)(real, x);
  if (!difference.reliable())
    return true; // It cannot tell.
  const T tolerance = 10 * difference.error + std::sqrt(std::numeric_limits<T>::epsilon()) * std::fabs(value);
  return std::fabs(value - difference.value) <= tolerance;
}

} // namespace detail

/// The derivative of a function of a real variable, which can be called with std::complex<T> as well.
template <std::floating_point T, std::invocable<std::complex<T>> F>
Estimate<T> complex_step(F &&f, T x) {
  const T step = detail::complex_step_length(x);
  const auto slope = [&](T length) { return std::imag(std::complex<T>(f(std::complex<T>(x, length)))) / length; };
  Estimate<T> estimate;
  estimate.value = slope(step);
  estimate.step = step;
  estimate.radius = step;
  if (!std::isfinite(estimate.value))
    return estimate;
  estimate.error = 16 * std::numeric_limits<T>::epsilon() * std::fabs(estimate.value) +
                   std::fabs(estimate.value - slope(step * T(0.625)));
  estimate.trouble = detail::agrees_with_difference(f, x, estimate.value) ? Trouble::none : Trouble::not_analytic;
  return estimate;
}

} // namespace assay::fdm
