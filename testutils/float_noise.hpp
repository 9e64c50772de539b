#pragma once
// Which outputs doubles reach through float: rounding to float shows as noise where the input moves a little. Where
// it does not, derivative and finite differences are as accurate as double, whatever else the function takes.

#include "testutils/point.hpp"

namespace assay::testutils {

/// Whether any element that moves along `direction` is a float: then arithmetic on it may be in float, unseen.
bool moves_a_float(const Signature &signature, const Arguments &direction);

/// For each flat output: whether what the elements that move along `direction` (empty Values: none) contribute to it is
/// rounded to float on the way.
std::vector<bool> outputs_through_float(Subject &subject, const Point &point, const Arguments &direction);

} // namespace assay::testutils
