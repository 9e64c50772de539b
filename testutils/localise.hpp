#pragma once
// Where a wrong derivative begins: the first number, in the order in which the derivative computes, whose tangent or
// adjoint is not what finite differences of the numbers themselves say.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Fills `first_wrong` of a record with a wrong derivative at the stage's point, or says in a hint why there is none.
/// Does nothing where the subject's numbers cannot be seen.
void localise(Stage &stage, Record &record);

} // namespace assay::testutils
