#include "reports/line_plot.hpp"

#include "reports/markup.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace assay::reports {

namespace {

constexpr double width = 640, height = 380, left = 62, right = 130, top = 14, bottom = 46;
constexpr std::size_t colours = 8; ///< The page has the classes curve-0 to curve-7.

/// An axis in decades, or in ones where it is linear.
struct Axis {
  Scale scale = Scale::logarithmic;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  double on_scale(double value) const { return scale == Scale::linear ? value : std::log10(value); }
  bool has_place_for(double value) const { return std::isfinite(value) && (scale == Scale::linear || value > 0); }
  void include(double value) {
    low = std::min(low, on_scale(value));
    high = std::max(high, on_scale(value));
  }
  void widen() {
    low = std::floor(low);
    high = std::max(std::ceil(high), low + 1);
  }
  double fraction(double value) const { return (value - low) / (high - low); }
  int stride() const { return std::max(1, static_cast<int>(std::ceil((high - low) / 8))); }
  std::string tick(int position) const { return fmt::format("{}{}", scale == Scale::linear ? "" : "1e", position); }
};

struct Frame {
  Axis x, y;
  bool has_place_for(const Point &point) const { return x.has_place_for(point.x) && y.has_place_for(point.y); }
  /// Of coordinates on their scale.
  double across(double position) const { return left + x.fraction(position) * (width - left - right); }
  double up(double position) const { return height - bottom - y.fraction(position) * (height - top - bottom); }
};

Frame frame_of(const Figure &figure) {
  Frame frame;
  frame.x.scale = figure.x_scale;
  for (const Series &series : figure.series)
    for (const Point &point : series.points)
      if (frame.has_place_for(point)) {
        frame.x.include(point.x);
        frame.y.include(point.y);
      }
  frame.x.widen();
  frame.y.widen();
  return frame;
}

std::string grid(const Frame &frame) {
  std::string svg;
  for (int decade = static_cast<int>(frame.y.low); decade <= frame.y.high; decade += frame.y.stride()) {
    const double y = frame.up(decade);
    svg += fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text x=\"{}\" "
                       "y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                       left, width - right, y, y, left - 6, y + 4, frame.y.tick(decade));
  }
  for (int decade = static_cast<int>(frame.x.low); decade <= frame.x.high; decade += frame.x.stride()) {
    const double x = frame.across(decade);
    svg += fmt::format("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/><text x=\"{:.1f}\" "
                       "y=\"{}\" text-anchor=\"middle\">{}</text>",
                       x, x, top, height - bottom, x, height - bottom + 16, frame.x.tick(decade));
  }
  return svg;
}

std::string labels(const Figure &figure) {
  const double middle = (top + height - bottom) / 2;
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text transform=\"rotate(-90 14 {})\" "
                     "x=\"14\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                     (left + width - right) / 2, height - 8, escape_markup(figure.x_label), middle, middle,
                     escape_markup(figure.y_label));
}

std::string curve(const Frame &frame, const Series &series, std::size_t position) {
  std::string path, marks;
  for (const Point &point : series.points) {
    if (!frame.has_place_for(point))
      continue;
    const double x = frame.across(frame.x.on_scale(point.x)), y = frame.up(frame.y.on_scale(point.y));
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.8\"><title>{}: {:.3g}, {:.3g}</title></circle>", x,
                         y, escape_markup(series.name), point.x, point.y);
  }
  return path.empty()
             ? std::string()
             : fmt::format("<g class=\"curve curve-{}\"><path d=\"{}\"/>{}</g>", position % colours, path, marks);
}

std::string legend(const Figure &figure) {
  std::string svg;
  double y = top + 8;
  for (std::size_t position = 0; position < figure.series.size(); ++position, y += 18)
    svg += fmt::format("<g class=\"curve curve-{}\"><circle cx=\"{}\" cy=\"{}\" r=\"4\"/></g><text x=\"{}\" "
                       "y=\"{}\">{}</text>",
                       position % colours, width - right + 14, y, width - right + 24, y + 4,
                       escape_markup(figure.series[position].name));
  return svg;
}

} // namespace

std::string line_plot_svg(const Figure &figure) {
  const Frame frame = frame_of(figure);
  if (!std::isfinite(frame.x.low) || !std::isfinite(frame.y.low))
    return {};
  std::string curves;
  for (std::size_t position = 0; position < figure.series.size(); ++position)
    curves += curve(frame, figure.series[position], position);
  return fmt::format("<svg class=\"plot wide\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}{}{}</svg>",
                     width, height, escape_markup(figure.title), grid(frame), curves, labels(figure), legend(figure));
}

} // namespace assay::reports
