#pragma once
// One number, <w, J v>, by every way that there is:
//
//   forward             <w, J v>      from the tangent of the outputs along v
//   reverse             <J^T w, v>    from the gradient of <w, y>
//   finite differences, wide arithmetic
//
// and for each derivative g the slope of its Taylor remainder |<w, y(x + t v) - y(x)> - t g| over t: 2 where g is
// right, 1 where it is not. Whoever is alone with an answer is named.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Fills `witnesses` and `odd_one` of a record with a wrong derivative at the stage's point.
void triangulate(Stage &stage, Record &record);

/// Fills `steps`: of a wrong derivative behind `triangulate`, or of a right one, whose worst number it is about.
void study_steps(Stage &stage, Record &record);

/// Differences of many steps; those that leave the domain are left out.
std::vector<StepRow> step_rows(Subject &subject, const Point &point, const Arguments &direction, const Values &weights);

/// How the remainder of `value` as the derivative along `direction` falls; nothing where it is lost in round-off or the
/// function cannot be evaluated.
std::optional<double> taylor_slope(Subject &subject, const Point &point, const Arguments &direction,
                                   const Values &weights, double value);

/// Who agrees with whom, in a sentence.
std::string odd_one_of(const std::vector<Witness> &witnesses, double tolerance);

} // namespace assay::testutils
