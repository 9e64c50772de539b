#pragma once
// The derivative beside the oracle's, number by number, before anything is decided. With the Jacobian J of the flat
// outputs y by the flat inputs x,
//
//   forward:  the tangent of output i is     sum_j J_ij x'_j      over the elements j of arguments that are not
//   constant reverse:  the derivative at input j is   sum_i y^_i J_ij      over the outputs i that have a seed or a
//   shadow
//
// Small inputs take J column by column, so that each element of the derivative is compared and can be named. For large
// ones forward takes one derivative along the tangent, and reverse compares some elements and some random directions,
// and bisects a direction that differs down to one element.

#include "testutils/finding.hpp"

#include <functional>
#include <optional>

namespace assay::testutils {

/// More inputs than these are compared along directions.
inline constexpr std::size_t largest_dense_input = 48;

/// Questions about the function where a number stands.
struct Probe {
  /// Of a number that differs, or agrees by chance.
  std::function<fdm::Smoothness(Agreement)> smoothness;
  /// The oracle's value from other points, if it has a second look.
  std::function<std::optional<Guess>(const Look &)> again;
  /// The difference quotient of the function at one step.
  std::function<std::optional<Oracle::Quotient>(double step)> quotient;
  /// Whether the function itself changes as the number that is expected says.
  std::function<bool(double expected)> follows;
};

struct OracleComparisons {
  std::vector<Compared> rows;
  /// One for each row. Few rows are asked about, so a probe is only made then; the oracle and the request outlive it.
  std::vector<std::function<Probe()>> probes;
  Depth depth = Depth::every_check; ///< How often a number that differs is looked at again.
  std::size_t unlisted = 0;         ///< Numbers compared without a row of their own, along directions.
};

/// One row for each active output.
void compare_tangents(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                      const Tolerance &tolerance, OracleComparisons &comparisons);

/// One row for each element of the active arguments, or for a sample of them.
void compare_adjoints(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                      const CheckOptions &options, OracleComparisons &comparisons);

/// Whether there are too many adjoints to be compared one by one, and what the shadows of `request` hold is so large
/// beside them that its rounding may hide one that is wrong. `plain` is the derivative above zeros.
bool is_small_beside_incoming(const Signature &signature, const DerivativeRequest &request,
                              const DerivativeOutcome &plain, const Tolerance &tolerance);

// ---- shared by both modes ----

/// The elements of the arguments that are not constant.
std::vector<Place> active_inputs(const Signature &signature, const Combination &combination);

/// Zeros in the shape of the inputs.
Arguments no_direction(const Point &point);

/// Whether small movements show in the function as `expected` says: where they are lost in its rounding, a derivative
/// far below 1 is what is left of numbers that cancel, and AD's own arithmetic may leave something else.
bool follows(const Oracle &oracle, const Arguments &direction, const Values &weights, double expected);

/// The size of a derivative that changes y by its whole size when x changes by its own. Where x is 0 there is no such
/// thing: infinity.
double natural_scale(double y, double x);

bool is_rough(fdm::Smoothness smoothness);

} // namespace assay::testutils
