#pragma once
// True values of partial derivatives of library functions, from differences in fifty-digit arithmetic.

#include <span>
#include <string>
#include <vector>

namespace assay::test {

struct Interval {
  long double low, high;
};

/// A function of the C library and where to try it.
struct ReferenceFunction {
  std::string name;               ///< Its spelling for double.
  std::vector<Interval> domain;   ///< One for each floating-point argument.
  std::vector<int> integers = {}; ///< Values of the integer argument, for functions that have one.
  bool integer_comes_first = false;
  double ulps = 4; ///< Error allowed to the library and the rule, relative to the derivative.
  unsigned samples = 24;
};

const std::vector<ReferenceFunction> &reference_functions();
const ReferenceFunction &reference_function(const std::string &name);

/// `index`-th of a sequence of points that fills the domain evenly; each is exactly representable as a float.
std::vector<long double> sample_point(const ReferenceFunction &function, unsigned index);

struct ExpectedPartial {
  long double value; ///< of the partial derivative
  /// How much it may move, in units of the precision, beyond `ulps` of itself: by the rounding of the arguments, and by
  /// cancellation among terms larger than their sum.
  long double slack;
};
ExpectedPartial expected_partial(const ReferenceFunction &function, std::span<const long double> point, int integer,
                                 unsigned index);

/// Largest error to accept for a derivative computed with machine precision `epsilon`.
long double tolerance(const ReferenceFunction &function, const ExpectedPartial &expected, long double epsilon);

} // namespace assay::test
