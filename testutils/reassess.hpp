#pragma once
// A number of a derivative may differ from the oracle's by rounding alone: the problem is ill-conditioned, not the
// derivative wrong. The derivative's own code is computed in wide arithmetic and compared with the function in wide
// arithmetic: a right derivative agrees at any conditioning, a wrong one does not. Where it cannot be computed so, the
// derivative's spread (spread.hpp) joins the tolerance.

#include "testutils/consult.hpp"

namespace assay::testutils {

/// The opinion, if it stands; or that the derivative is right but for its rounding, or that nobody can tell.
Opinion reassess(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome, Opinion opinion);

/// A check of algebra: of a subject, and what it gives for the request at hand.
using AlgebraCheck = std::function<Finding(Subject &subject, const DerivativeOutcome &outcome)>;

/// The finding of a check of algebra, or a pass where only rounding made it fail.
Finding without_rounding(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                         const AlgebraCheck &check);

} // namespace assay::testutils
