#pragma once
// The worst error of every combination of a function beside its tolerance, as an SVG drawing.

#include "reports/grouping.hpp"

namespace assay::reports {

/// One mark a combination, in order; upwards the decimal logarithm of error / tolerance, with a line where they are
/// equal. Empty when no record has an error to show.
std::string error_plot_svg(const FunctionGroup &group);

} // namespace assay::reports
