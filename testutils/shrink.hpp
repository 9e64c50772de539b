#pragma once
// Simpler points that fail in the same way.

#include "testutils/domains.hpp"
#include "testutils/numbers.hpp"

namespace assay::testutils {

struct Shrunk {
  Arguments inputs;
  unsigned shrinks = 0; ///< How many simplifications were kept.
  unsigned tries = 0;
};

/// Greedy descent: whole arguments first, then single elements, toward 1, 0, small integers and short decimals.
/// `still_fails` is asked at most `most_tries` times.
Shrunk shrink_inputs(const Signature &signature, const Arguments &failing,
                     const std::function<bool(const Arguments &)> &still_fails, unsigned most_tries);

/// Whether a number of the parameter may be exchanged for another one of its domain by itself.
bool may_change(const Parameter &parameter);

} // namespace assay::testutils
