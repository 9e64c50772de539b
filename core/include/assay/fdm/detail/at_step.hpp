// One finite difference with a step that the caller chose: nothing is adapted, and the error is the bound at that step.
#pragma once

#include <assay/fdm/detail/differentiate.hpp>

namespace assay::fdm::detail {

/// The truncation error that the bound estimator's stencil shows at this step; 0 without a bound estimator.
template <class T>
std::vector<long double> truncation_at_step(const FiniteDifferenceMethod &method, const Site<T> &site, const T &step) {
  std::vector<long double> truncation(site.outputs, 0);
  if (!method.bound_estimator)
    return truncation;
  const FiniteDifferenceMethod &observer = *method.bound_estimator;
  const typename RealTraits<T>::Coefficients coefs(observer);
  const auto samples = site.sample(observer.grid, step);
  const auto length = static_cast<long double>(step);
  for (std::size_t output = 0; output < site.outputs; ++output)
    truncation[output] = largest_derivative<T>(observer, coefs, samples, output) * method.truncation_multiplier *
                         power(length, method.order() - method.derivative);
  return truncation;
}

template <class T>
void differentiate_at_step(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place, const T &step,
                           std::span<Estimate<T>> estimates) {
  const Site<T> site{curve, place, estimates.size()};
  const double reach = radius(method.grid);
  const T used = resolved_step(place.x, reach, static_cast<double>(step), infinity);
  const auto samples = site.sample(method.grid, used);
  const auto truncation = truncation_at_step(method, site, used);
  const typename RealTraits<T>::Coefficients coefs(method);
  const double epsilon = std::max(epsilon_of<T>(), method.options.epsilon) * method.options.factor;
  for (std::size_t output = 0; output < estimates.size(); ++output) {
    const long double roundoff = epsilon * samples.largest(output) * method.roundoff_multiplier /
                                 power(static_cast<long double>(used), method.derivative);
    Estimate<T> &estimate = estimates[output];
    estimate.value = static_cast<T>(samples.combine(coefs.center(), method.derivative, output));
    estimate.error = static_cast<T>(roundoff + truncation[output]);
    estimate.step = used;
    estimate.radius = used * static_cast<T>(reach);
    const bool finite = samples.finite(output) && is_finite(estimate.value);
    estimate.trouble = finite ? Trouble::none : Trouble::non_finite;
  }
}

} // namespace assay::fdm::detail
