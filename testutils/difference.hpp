#pragma once
// Two calls of one derivative whose bits have to be the same.

#include "testutils/finding.hpp"

#include <optional>
#include <string>

namespace assay::testutils {

/// The first number of a derivative that is another one in another call, with how many were compared.
struct Difference {
  std::optional<Comparison> row;
  std::size_t compared = 0;
};

/// Tangents and adjoints.
Difference compare_derivatives(const Signature &signature, const DerivativeOutcome &seen,
                               const DerivativeOutcome &wanted);

/// The primal result and what the arguments hold at exit, on a device but for the order of sums.
bool same_primal(const Subject &subject, const DerivativeOutcome &left, const DerivativeOutcome &right);

} // namespace assay::testutils
