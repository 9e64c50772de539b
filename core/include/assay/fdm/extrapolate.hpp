// Richardson extrapolation: the same finite difference at ever shorter steps, extrapolated to step 0.
//
// The error of a difference is a series in powers of the step, so a table of Neville's removes one power after the
// other (Ridders 1982). It starts with a long step, where round-off is small, and serves functions that are smooth on
// that length; it needs no bound of a derivative.
#pragma once

#include <assay/fdm/method.hpp>

#include <concepts>
#include <span>

namespace assay::fdm {

struct ExtrapolationOptions {
  double initial_step = 0.5;
  double contraction = 0.6; ///< ratio of each step to the one before it
  int most_levels = 20;
};

namespace detail {

template <class T>
Estimate<T> extrapolate_curve(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place,
                              const ExtrapolationOptions &options);

extern template Estimate<float> extrapolate_curve(const FiniteDifferenceMethod &, Curve<float>, const Place<float> &,
                                                  const ExtrapolationOptions &);
extern template Estimate<double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<double>, const Place<double> &,
                                                   const ExtrapolationOptions &);
extern template Estimate<long double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<long double>,
                                                        const Place<long double> &, const ExtrapolationOptions &);

} // namespace detail

/// The derivative of a scalar function at x, with the method's points and its derivative.
template <Real T, std::invocable<T> F>
Estimate<T> extrapolate_fdm(const FiniteDifferenceMethod &method, F &&f, T x, const ExtrapolationOptions &options = {},
                            Reach reach = {}) {
  auto curve = [&f](T point, std::span<T> outputs) { outputs[0] = static_cast<T>(f(point)); };
  return detail::extrapolate_curve<T>(method, curve, detail::place_at(x, reach), options);
}

} // namespace assay::fdm
