#include "cli/accuracy_command.hpp"

#include "cli/check_output.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace assay::cli {

namespace {

using fdm::accuracy::Measurement;
using reports::Figure;
using reports::Series;

/// A curve of medians: of all measurements with one x, the median of y.
Series median_curve(const std::string &name, const std::vector<const Measurement *> &measurements,
                    const std::function<double(const Measurement &)> &x) {
  std::map<double, std::vector<double>> groups;
  for (const Measurement *one : measurements)
    groups[x(*one)].push_back(one->error);
  Series series{name, {}};
  for (auto &[at, errors] : groups) {
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    series.points.push_back({at, *middle});
  }
  return series;
}

std::vector<const Measurement *> those(const std::vector<Measurement> &all,
                                       const std::function<bool(const Measurement &)> &wanted) {
  std::vector<const Measurement *> found;
  for (const Measurement &one : all)
    if (wanted(one))
      found.push_back(&one);
  return found;
}

double step_of(const Measurement &one) {
  return one.step;
}
double order_of(const Measurement &one) {
  return one.order;
}

Figure error_by_step_and_order(const fdm::accuracy::Sweep &sweep) {
  Figure figure{"Error against step, by order",
                "First derivative of sin at 1 in double by central differences of p points. To the right truncation, "
                "which falls with the power p - 1 of the step; to the left round-off.",
                "step",
                "relative error",
                {}};
  for (int order = 3; order <= 9; order += 2)
    figure.series.push_back(median_curve(
        fmt::format("p = {}", order),
        those(sweep.steps, [&](const Measurement &one) { return one.order == order && one.precision == "double"; }),
        step_of));
  return figure;
}

Figure error_by_step_and_precision(const fdm::accuracy::Sweep &sweep) {
  Figure figure{
      "Error against step, by precision",
      "First derivative of sin at 1 by central differences of 5 points. More digits move the best step to the "
      "left and the least error down.",
      "step",
      "relative error",
      {}};
  for (const std::string &precision : fdm::accuracy::precisions())
    figure.series.push_back(median_curve(
        precision,
        those(sweep.steps, [&](const Measurement &one) { return one.order == 5 && one.precision == precision; }),
        step_of));
  return figure;
}

Figure error_of_adapted_methods(const fdm::accuracy::Sweep &sweep, int derivative) {
  Figure figure{fmt::format("Error of derivative {} with the step that the method chooses", derivative),
                "Median over seven functions at three points each, by the number of points p.",
                "p",
                "relative error",
                {},
                reports::Scale::linear};
  for (const std::string &precision : fdm::accuracy::precisions())
    figure.series.push_back(median_curve(
        precision,
        those(sweep.adapted,
              [&](const Measurement &one) { return one.derivative == derivative && one.precision == precision; }),
        order_of));
  return figure;
}

/// Every precision's estimates in order of how much they claim, beside what is true.
Figure honesty(const fdm::accuracy::Sweep &sweep) {
  Figure figure{"Estimated and true error",
                "Every measurement of the sweep with an adapted step: the true error against the error that the method "
                "estimates. An honest estimate is below the line.",
                "estimated relative error",
                "true relative error",
                {}};
  Series line{"equal", {}};
  for (int decade = -50; decade <= 0; decade += 2)
    line.points.push_back({std::pow(10.0, decade), std::pow(10.0, decade)});
  for (const std::string &precision : fdm::accuracy::precisions()) {
    std::map<int, std::vector<double>> by_decade; // The worst true error among estimates of about one size.
    for (const Measurement *one :
         those(sweep.adapted, [&](const Measurement &candidate) { return candidate.precision == precision; }))
      if (one->estimate > 0 && one->error > 0)
        by_decade[static_cast<int>(std::floor(std::log10(one->estimate)))].push_back(one->error);
    Series worst{precision + ", worst", {}};
    for (const auto &[decade, errors] : by_decade)
      worst.points.push_back({std::pow(10.0, decade + 1), *std::max_element(errors.begin(), errors.end())});
    figure.series.push_back(std::move(worst));
  }
  figure.series.push_back(std::move(line));
  return figure;
}

struct Honesty {
  std::size_t bounded = 0, total = 0;
  double share() const { return static_cast<double>(bounded) / static_cast<double>(total); }
};

/// An estimate below the rounding of the answer itself can bound nothing.
Honesty honesty_of(const fdm::accuracy::Sweep &sweep, const std::string &precision) {
  Honesty result;
  for (const Measurement &one : sweep.adapted)
    if (one.precision == precision) {
      ++result.total;
      result.bounded += one.error <= one.estimate ? 1 : 0;
    }
  return result;
}

} // namespace

std::vector<Figure> accuracy_figures(const fdm::accuracy::Sweep &sweep) {
  std::vector<Figure> figures{error_by_step_and_order(sweep), error_by_step_and_precision(sweep)};
  for (int derivative = 1; derivative <= 4; ++derivative)
    figures.push_back(error_of_adapted_methods(sweep, derivative));
  figures.push_back(honesty(sweep));
  return figures;
}

ExitCode run_accuracy(const std::filesystem::path &report, const std::string &command_line) {
  constexpr double wanted_share = 0.95;
  require_no_night(report);
  const auto start = std::chrono::steady_clock::now();
  const fdm::accuracy::Sweep sweep = fdm::accuracy::run_sweep();
  reports::Run run;
  run.command = command_line;
  run.environment = "finite differences against closed forms";
  run.figures = accuracy_figures(sweep);
  bool honest = true;
  for (const std::string &precision : fdm::accuracy::precisions()) {
    const Honesty result = honesty_of(sweep, precision);
    honest = honest && result.share() >= wanted_share;
    fmt::print("{:12} {} of {} error estimates bound the true error\n", precision, result.bounded, result.total);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  reports::write_report(report, run);
  fmt::print("report: {}\n", (report / "index.html").string());
  return honest ? all_passed : something_failed;
}

} // namespace assay::cli
