#pragma once
// Which tolerance an element has: the rules of Tolerance whose path or type fits it, the last one first, then the
// general one.

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// Whether `pattern` names the element at `path`, or something that the element is a part of. A `*` stands for anything
/// within one step: `x.layers[*].weight` names `x.layers[1].weight[0]`.
bool names(std::string_view pattern, std::string_view path);

/// The tolerance of one element, without rules.
Tolerance tolerance_at(const Tolerance &tolerance, const Signature &signature, const Place &place);

/// The absolute part of an element's tolerance, `own`: what is given stays as it is; the default one follows the scale
/// of the derivative where that is below 1, so that a gradient of 1e-23 is compared as one of 1 is.
double scaled_absolute_tolerance(const Tolerance &own, ElementType type, double scale);

/// For what mixes all elements: the loosest tolerance of any.
Tolerance loosest(const Tolerance &tolerance, const Signature &signature);

/// Throws std::invalid_argument for a rule that fits no element.
void require_fitting_rules(const Tolerance &tolerance, const Signature &signature);

} // namespace assay::testutils
