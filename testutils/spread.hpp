#pragma once
// How far the rounding of a derivative's own arithmetic may have moved its numbers, found by experiment: the same call
// with each input and seed moved to a neighbouring number, with its code compiled otherwise, and in the other rounding
// modes (J. Vignes, "Discrete Stochastic Arithmetic for Validating Results of Numerical Software", 2004). A
// few calls underestimate the error, so the largest difference is taken many times.
//
// Code that rounds to a coarse grid on purpose, through text or through integers, moves by a step of its grid in
// another rounding mode, and not at all with neighbouring numbers. What rounding does to a number shows in both. So in
// other modes it counts up to a multiple of what it is among neighbouring numbers.

#include "testutils/numbers.hpp"

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// The largest of few differences is to stand for all that rounding can do: it counts so many times.
inline constexpr double margin_of_spread = 64;

/// Each number moved to one of its neighbours: which, follows from `call`.
Arguments moved_to_neighbours(Arguments inputs, const Signature &signature, unsigned call);

class Spread {
public:
  /// `outcome` is that of `request`. Of a slow function few calls are made, and nothing is compiled.
  Spread(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome,
         Depth depth = Depth::every_check);

  /// Of one number of the derivative; infinite where it was not finite each time.
  double at(const Place &place) const;
  /// Whether the number is another one in some calls, and what is expected in each of these: the code took another
  /// branch there, which no rounding does to a number.
  bool is_right_beside(const Comparison &row) const;
  /// Of <w, J v>, for tangents v as Stream::tangent draws them.
  double of_product() const;

private:
  /// Of each number of a derivative.
  struct Distances {
    std::vector<Values> result_tangents;
    std::vector<Arguments> shadows;
    void widen_by(const DerivativeOutcome &outcome, const DerivativeOutcome &other);
  };
  void join_up_to_multiple(const Distances &in_modes, const DerivativeOutcome &outcome, double rounding);

  Distances distances;
  double part_of_margin = 1; ///< That counts.
  DerivativeOutcome here;
  std::vector<DerivativeOutcome> beside;
};

} // namespace assay::testutils
