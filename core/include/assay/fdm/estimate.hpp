// The answer of a finite difference: the value, a bound on its error, and whether it is to be trusted.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string_view>

namespace assay::fdm {

/// Why an estimate is not to be trusted.
enum class Trouble {
  none,
  non_finite,     ///< the function gave an infinity or a NaN at a point of the stencil
  no_room,        ///< the domain's edge leaves no room for a step that the precision can resolve
  steps_disagree, ///< two steps give answers further apart than both error estimates allow: a kink, a jump, or noise
  not_analytic,   ///< a complex step was asked of a function that does not continue into the complex plane
};

/// A sentence part for messages, such as "the function is not finite near the point".
std::string_view describe(Trouble trouble);

template <class T>
struct Estimate {
  T value = std::numeric_limits<T>::quiet_NaN();
  /// Estimated bound of |value - truth|: truncation, round-off, and how far a second, shorter step disagrees.
  T error = std::numeric_limits<T>::infinity();
  /// The step h; the function was evaluated at x + h * grid.
  T step = 0;
  /// The farthest distance from x at which the function was evaluated for this answer.
  T radius = 0;
  Trouble trouble = Trouble::non_finite;

  bool reliable() const { return trouble == Trouble::none; }
};

/// The answer for a function with complex values. The error is that of the complex number: |value - truth|.
template <class T>
struct Estimate<std::complex<T>> {
  std::complex<T> value{std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
  T error = std::numeric_limits<T>::infinity();
  T step = 0;
  T radius = 0;
  Trouble trouble = Trouble::non_finite;

  bool reliable() const { return trouble == Trouble::none; }
};

/// Real and imaginary part as one.
template <class T>
Estimate<std::complex<T>> join(const Estimate<T> &real, const Estimate<T> &imaginary) {
  return {{real.value, imaginary.value},
          std::hypot(real.error, imaginary.error),
          std::max(real.step, imaginary.step),
          std::max(real.radius, imaginary.radius),
          real.reliable() ? imaginary.trouble : real.trouble};
}

/// How far the argument may move from the point in each direction before it leaves the function's domain.
/// Both distances are positive or zero; a point on the edge has zero on that side.
struct Reach {
  double below = std::numeric_limits<double>::infinity();
  double above = std::numeric_limits<double>::infinity();
};

} // namespace assay::fdm
