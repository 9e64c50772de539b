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

#include <assay/fdm/detail/real.hpp>
#include <assay/fdm/estimate.hpp>
#include <assay/function_ref.hpp>

#include <array>
#include <complex>
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

  /// The derivative of a scalar function at x, evaluated in T: float, double, long double, or a type of
  /// Boost.Multiprecision with <assay/fdm/multiprecision.hpp>. The function may return std::complex<T>; the answer is
  /// then an Estimate<std::complex<T>>.
  template <Real T, std::invocable<T> F>
  auto operator()(F &&f, T x, Reach reach = {}) const;

  /// The derivative of a holomorphic function at x, from points beside x on the real axis through it.
  template <Real T, std::invocable<std::complex<T>> F>
  Estimate<std::complex<T>> operator()(F &&f, std::complex<T> x) const;

  template <std::integral I, std::invocable<double> F>
  auto operator()(F &&f, I x, Reach reach = {}) const {
    return (*this)(std::forward<F>(f), static_cast<double>(x), reach);
  }

  /// The same with the step that is given (rounded so that the points are exact), with nothing adapted. The error is
  /// the bound C1 h^-q + C2 h^(p-q) at that step; without a bound estimator (adapt = 0) only its first term.
  template <Real T, std::invocable<T> F>
  auto at_step(F &&f, T x, std::type_identity_t<T> step) const;

  /// Number of points p.
  int order() const { return static_cast<int>(grid.size()); }

  // The parts of the method; read-only by convention, a changed copy is made by the constructor.
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
/// Any distinct points: {-1, 0, 2} evaluates at x - h, x and x + 2 h.
FiniteDifferenceMethod fdm_on_grid(std::vector<double> grid, int derivative, Options options = {});

namespace detail {

inline std::span<const long double> KeptCoefficients::center() const {
  return method->coefs;
}
inline std::span<const long double> KeptCoefficients::neighbour(std::size_t position) const {
  return method->coefs_neighbourhood[position];
}

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

/// The same with one step, which is given.
template <class T>
void differentiate_at_step(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place, const T &step,
                           std::span<Estimate<T>> estimates);

#define ASSAY_FDM_COMPILED(T)                                                                                          \
  extern template void differentiate_curve(const FiniteDifferenceMethod &, Curve<T>, const Place<T> &,                 \
                                           std::span<Estimate<T>>);                                                    \
  extern template void differentiate_at_step(const FiniteDifferenceMethod &, Curve<T>, const Place<T> &, const T &,    \
                                             std::span<Estimate<T>>);
ASSAY_FDM_COMPILED(float)
ASSAY_FDM_COMPILED(double)
ASSAY_FDM_COMPILED(long double)
#undef ASSAY_FDM_COMPILED

template <class>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// A function of one variable as a curve: one output for a real result, two for a complex one.
template <class T, class F>
class ScalarCurve {
public:
  using Result = std::remove_cvref_t<std::invoke_result_t<F &, T>>;
  static constexpr std::size_t outputs = is_complex<Result> ? 2 : 1;
  using Answer = Estimate<std::conditional_t<is_complex<Result>, std::complex<T>, T>>;

  explicit ScalarCurve(F &of) : function(of) {}

  void operator()(T point, std::span<T> values) const {
    if constexpr (is_complex<Result>) {
      const Result value = function(point);
      values[0] = static_cast<T>(value.real());
      values[1] = static_cast<T>(value.imag());
    } else {
      values[0] = static_cast<T>(function(point));
    }
  }

  static Answer joined(const std::array<Estimate<T>, outputs> &parts) {
    if constexpr (is_complex<Result>)
      return join(parts[0], parts[1]);
    else
      return parts[0];
  }

private:
  F &function;
};

template <class T>
Place<T> place_at(const T &x, Reach reach = {}) {
  return {x, static_cast<double>(magnitude(x)), reach};
}

} // namespace detail

template <Real T, std::invocable<T> F>
auto FiniteDifferenceMethod::operator()(F &&f, T x, Reach reach) const {
  using Curve = detail::ScalarCurve<T, std::remove_reference_t<F>>;
  std::array<Estimate<T>, Curve::outputs> estimates;
  const Curve curve(f);
  detail::differentiate_curve<T>(*this, curve, detail::place_at(x, reach), estimates);
  return Curve::joined(estimates);
}

template <Real T, std::invocable<std::complex<T>> F>
Estimate<std::complex<T>> FiniteDifferenceMethod::operator()(F &&f, std::complex<T> x) const {
  const auto along_real_axis = [&](T offset) -> std::complex<T> { return f(x + offset); };
  using Curve = detail::ScalarCurve<T, decltype(along_real_axis)>;
  std::array<Estimate<T>, 2> estimates;
  const Curve curve(along_real_axis);
  const detail::Place<T> place{T(0), static_cast<double>(std::abs(x)), {}};
  detail::differentiate_curve<T>(*this, curve, place, estimates);
  return Curve::joined(estimates);
}

template <Real T, std::invocable<T> F>
auto FiniteDifferenceMethod::at_step(F &&f, T x, std::type_identity_t<T> step) const {
  using Curve = detail::ScalarCurve<T, std::remove_reference_t<F>>;
  std::array<Estimate<T>, Curve::outputs> estimates;
  const Curve curve(f);
  detail::differentiate_at_step<T>(*this, curve, detail::place_at(x), step, estimates);
  return Curve::joined(estimates);
}

} // namespace assay::fdm
