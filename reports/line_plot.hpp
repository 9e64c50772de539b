#pragma once
// Curves over logarithmic axes, as an SVG drawing with a legend.

#include "reports/figure.hpp"

namespace assay::reports {

/// Empty when there is nothing to draw.
std::string line_plot_svg(const Figure &figure);

} // namespace assay::reports
