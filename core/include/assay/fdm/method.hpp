// Finite difference methods of any order p for any derivative q < p, on any grid.
//
// On a grid g_1..g_p the q-th derivative is estimated by
//
//     f^(q)(x)  ~  sum_i c_i f(x + g_i h) / h^q,     where  sum_i c_i g_i^k = q! [k = q]   for k = 0..p-1,
//
// and that linear system is solved exactly, in rational numbers. The error of the estimate is bounded by
//
//     C1 h^-q + C2 h^(p-q),     C1 = factor * eps * max|f| * sum|c_i|,     C2 = max|f^(p)| / p! * sum|c_i g_i^p|,
//
// that is by round-off and by truncation; the step makes the sum least. max|f^(p)| near x is estimated by another
// finite difference, the bound estimator, as in the method AdaptedFiniteDifferenceMethod of FiniteDifferences.jl.
// Beyond that model the estimate is done a second time with a shorter step, and the difference of the two joins the
// error.
//
// Points of a grid are exact floating-point numbers (the step is rounded so that x + g_i h is), so the argument has no
// round-off.
#pragma once

#include <assay/fdm/estimate.hpp>
#include <assay/function_ref.hpp>

#include <array>
#include <concepts>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace assay::fdm {

struct Options {
  /// How often the bound on the p-th derivative is itself estimated with an adapted step. 0: always use `condition`
  /// instead.
  int adapt = 1;
  /// Assumed ratio of max|f^(p)| to max|f| where nothing better is known.
  double condition = 10;
  /// Multiplies the assumed round-off of the function: more than 1 for functions that are not accurate to their last
  /// bit.
  double factor = 1;
  /// No point further than this from x is ever evaluated.
  double max_range = std::numeric_limits<double>::infinity();
  /// Relative accuracy of the function; 0 takes that of the type. A double function that computes in float inside
  /// gives 1.2e-7.
  double epsilon = 0;
  /// Ratio of the second, confirming step to the first; 0 leaves the confirmation out.
  double confirmation = 0.6;
  /// Points at which the function's round-off is measured (by fourth differences) rather than assumed; 0 leaves that
  /// out.
  int noise_points = 9;
};

class FiniteDifferenceMethod {
public:
  /// The method for `derivative` on `grid`: distinct points, more than `derivative` of them. Throws
  /// std::invalid_argument otherwise.
  FiniteDifferenceMethod(std::vector<double> grid, int derivative, Options options = {});

  /// The derivative of a scalar function at x, evaluated in T (float, double, long double).
  template <std::floating_point T, std::invocable<T> F>
  Estimate<T> operator()(F &&f, T x, Reach reach = {}) const;

  /// Number of points p.
  int order() const { return static_cast<int>(grid.size()); }

  // What the method consists of; read-only by convention, a changed copy is made by the constructor.
  std::vector<double> grid;
  int derivative;
  Options options;
  std::vector<long double> coefs;
  /// Coefficients for the same derivative at x - h, x and x + h: the largest of the three bounds it in the
  /// neighbourhood.
  std::array<std::vector<long double>, 3> coefs_neighbourhood;
  double roundoff_multiplier;   ///< sum |c_i|
  double truncation_multiplier; ///< sum |c_i g_i^p| / p!
  /// Estimates the p-th derivative; null when options.adapt is 0.
  std::shared_ptr<const FiniteDifferenceMethod> bound_estimator;
};

/// Exact rational solution of the system above, rounded to long double; the grid's points must be distinct.
std::vector<long double> finite_difference_coefficients(std::span<const double> grid, int derivative);

/// p points around x, symmetric: -2..2 for p = 5; x itself is left out for even p.
FiniteDifferenceMethod central_fdm(int order, int derivative, Options options = {});
/// 0, 1, .., p-1: never evaluates below x.
FiniteDifferenceMethod forward_fdm(int order, int derivative, Options options = {});
/// 1-p, .., -1, 0: never evaluates above x.
FiniteDifferenceMethod backward_fdm(int order, int derivative, Options options = {});

namespace detail {

/// A curve: writes all outputs at coordinate x.
template <class T>
using Curve = FunctionRef<void(T x, std::span<T> outputs)>;

/// Where a curve is differentiated: `length` is the length scale of x, the second guess at how far the function varies
/// little.
template <class T>
struct Place {
  T x = 0;
  double length = 1;
  Reach reach = {};
};

/// Estimates the derivative of every output of the curve. Outputs whose best steps are close share evaluations.
template <class T>
void differentiate_curve(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place,
                         std::span<Estimate<T>> estimates);

extern template void differentiate_curve(const FiniteDifferenceMethod &, Curve<float>, const Place<float> &,
                                         std::span<Estimate<float>>);
extern template void differentiate_curve(const FiniteDifferenceMethod &, Curve<double>, const Place<double> &,
                                         std::span<Estimate<double>>);
extern template void differentiate_curve(const FiniteDifferenceMethod &, Curve<long double>, const Place<long double> &,
                                         std::span<Estimate<long double>>);

} // namespace detail

template <std::floating_point T, std::invocable<T> F>
Estimate<T> FiniteDifferenceMethod::operator()(F &&f, T x, Reach reach) const {
  Estimate<T> estimate;
  auto curve = [&f](T point, std::span<T> outputs) { outputs[0] = static_cast<T>(f(point)); };
  const detail::Place<T> place{x, static_cast<double>(x < 0 ? -x : x), reach};
  detail::differentiate_curve<T>(*this, curve, place, std::span(&estimate, 1));
  return estimate;
}

} // namespace assay::fdm
