#pragma once
// A drawing of curves for a page: its content, as values; its look is in line_plot.hpp.

#include <string>
#include <vector>

namespace assay::reports {

struct Point {
  double x = 0, y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
};

enum class Scale { linear, logarithmic };

/// The y axis is logarithmic. Points that have no place on the axes (zero, infinite) are left out.
struct Figure {
  std::string title;
  std::string caption; ///< One or two sentences.
  std::string x_label, y_label;
  std::vector<Series> series;
  Scale x_scale = Scale::logarithmic;
};

} // namespace assay::reports
