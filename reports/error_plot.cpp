#include "reports/error_plot.hpp"

#include "reports/markup.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace assay::reports {

namespace {

constexpr double width = 480, height = 160, left = 44, right = 10, top = 12, bottom = 26;
constexpr double lowest = -8, highest = 8; ///< Decades shown at most; what lies beyond stands at the edge.

/// log10(error / tolerance) of the worst element; absent when nothing was compared.
std::optional<double> severity(const Record &record) {
  if (record.worst.empty())
    return std::nullopt;
  const Element &worst = record.worst.front();
  if (!(worst.tolerance > 0) || std::isnan(worst.absolute_error))
    return worst.absolute_error == 0 ? lowest : highest;
  const double ratio = worst.absolute_error / worst.tolerance;
  return std::clamp(ratio > 0 ? std::log10(ratio) : lowest, lowest, highest);
}

struct Range {
  double low, high;
};

Range range_of(const FunctionGroup &group) {
  Range range{-2, 1};
  for (const Record *record : group.records)
    if (const auto value = severity(*record)) {
      range.low = std::min(range.low, std::floor(*value));
      range.high = std::max(range.high, std::ceil(*value));
    }
  return range;
}

double y_of(double value, const Range &range) {
  return top + (range.high - value) / (range.high - range.low) * (height - top - bottom);
}

double x_of(std::size_t index, std::size_t count) {
  const double step = (width - left - right) / static_cast<double>(count);
  return left + (static_cast<double>(index) + 0.5) * step;
}

std::string axis(const Range &range) {
  std::string svg;
  const int stride = range.high - range.low > 8 ? 4 : 2;
  for (int decade = static_cast<int>(range.low); decade <= static_cast<int>(range.high); ++decade) {
    if (decade % stride != 0 || decade == 0)
      continue;
    const double y = y_of(decade, range);
    svg += fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left, width - right, y,
                       y);
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">1e{:+}</text>", left - 6, y + 4, decade);
  }
  const double limit = y_of(0, range);
  svg += fmt::format("<line class=\"limit\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left, width - right,
                     limit, limit);
  return svg + fmt::format("<text class=\"limit-text\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">limit</text>",
                           left - 6, limit + 4);
}

const char *class_of(const Record &record) {
  if (record.expected_failure)
    return "caught";
  if (record.outcome == Outcome::failed)
    return "wrong";
  if (record.outcome == Outcome::undecided)
    return "unsure";
  return record.mode == "forward" ? "forward" : "reverse";
}

std::string mark(const Record &record, double x, double y, double size) {
  const Element &worst = record.worst.front();
  const std::string title =
      escape_markup(fmt::format("{}\n{}: error {:.3g}, tolerance {:.3g}", combination_text(record), worst.path,
                                worst.absolute_error, worst.tolerance));
  const char *style = class_of(record);
  if (record.mode == "forward")
    return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}</title></circle>",
                       style, x, y, size, title);
  return fmt::format(
      "<path class=\"{}\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}z\"><title>{}</title></path>",
      style, x, y - size * 1.25, size * 1.25, size * 1.25, -size * 1.25, size * 1.25, -size * 1.25, -size * 1.25,
      title);
}

} // namespace

std::string error_plot_svg(const FunctionGroup &group) {
  const Range range = range_of(group);
  const std::size_t count = group.records.size();
  const double size = std::clamp((width - left - right) / static_cast<double>(count) / 2.6, 1.4, 4.0);
  std::string marks;
  for (std::size_t index = 0; index < count; ++index)
    if (const auto value = severity(*group.records[index]))
      marks += mark(*group.records[index], x_of(index, count), y_of(*value, range), size);
  if (marks.empty())
    return {};
  return fmt::format(
      "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Worst error of each combination in units "
      "of its tolerance\">{}{}<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">combinations, in the order of the "
      "table</text></svg>",
      width, height, axis(range), marks, (left + width - right) / 2, height - 6);
}

} // namespace assay::reports
