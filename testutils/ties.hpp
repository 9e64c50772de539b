#pragma once
// Where a comparison of the program is a tie, the function has a derivative for each side, and its own code says which
// side is taken: the derivative of a maximum at equal elements is that of the element which the function picks. A rule
// has to give the same. It is compared with the function in wide arithmetic, which stays on the program's branches.
//
// Nothing is asked at kinks of the library's functions (fabs, fmax), where either side is a choice.

#include "testutils/consult.hpp"

namespace assay::testutils {

/// The opinion, or that the derivative is wrong, where it uses registered rules and the point lies on the edge of
/// comparisons that the program itself makes.
Opinion judge_tie(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome, Opinion opinion);

/// The opinion, or that the derivative is wrong, where the point lies on the edge of comparisons, a number of the
/// derivative is not finite, and that of the branch which the program takes is: a choice between two finite slopes is
/// one of them.
Opinion judge_undefined(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                        Opinion opinion);

/// The opinion; or undecided, where it is that a derivative is wrong which uses no registered rules, and the point lies
/// on several edges at once. Each branch and each function has its derivative there, and their sum is that of the
/// function only where the function takes the same side of all: fmax(x, 0) + log1p(exp(-fabs(x))) is smooth at 0.
Opinion judge_edges_together(Stage &stage, const DerivativeRequest &request, Opinion opinion);

} // namespace assay::testutils
