#pragma once
// Is a number of the derivative the one that the oracle gives? With tolerance t (absolute + relative + round-off of the
// sum it is) and the oracle's error e, a difference d
//
//     d <= t                      agrees; if e is not small beside the value, unless the function is not smooth there
//     d <= t + 3 e                agrees if e is small beside the value, else undecided
//     d >  t + 3 e                differs, unless the oracle is in trouble or the function is not smooth there
//
// so an unreliable oracle is never a failure, and never a pass.

#include "testutils/oracle.hpp"

namespace assay::testutils {

enum class Agreement : std::uint8_t { agrees, undecided, differs };

/// A comparison in the making: what the oracle says beyond its value.
struct Compared {
  Comparison comparison;
  Agreement agreement = Agreement::agrees;
  fdm::Trouble trouble = fdm::Trouble::none;
  double radius = 0;      ///< How far from the point the oracle looked.
  bool coarse = false;    ///< What is compared passes through float.
  double absolute = 0;    ///< The absolute part of the tolerance.
  bool by_chance = false; ///< It agrees, though the oracle's error is too large for that to say much.
  bool by_scale = false;  ///< It differs, but only because the derivative's scale is far below 1.
};

/// What the oracle expects at a place; `magnitude` is the sum of the absolute values of the terms of `guess`.
struct Expectation {
  Place place;
  Guess guess;
  double magnitude = 0;
  /// Of the derivative that it is a number of: the absolute tolerance follows it where it is below 1, so that a
  /// gradient of 1e-23 is compared as one of 1 is.
  double scale = 1;
};

/// The largest of these numbers.
double scale_of(const std::vector<Expectation> &expectations);

/// Compares without asking about smoothness, in the precision of the element; where its computation is coarser, the
/// guess's error says so. `total` is the number in the shadow, `incoming` what it held before.
Compared compare(const Signature &signature, const Tolerance &tolerance, const Expectation &expectation, double total,
                 double incoming, unsigned width);

/// Where the oracle's error is too large to say, now that the size of the whole derivative is known.
void settle(std::vector<Compared> &all);

/// How many numbers can be told from zero.
std::size_t count_nonzero(const std::vector<Compared> &all);

/// Whether a number that differs from one guess is right by another, and the two contradict each other beyond their
/// errors.
bool is_confirmed_by(const Compared &row, const Guess &other);

/// All comparisons, worst first.
std::vector<Comparison> sorted_by_badness(const std::vector<Compared> &all);

} // namespace assay::testutils
