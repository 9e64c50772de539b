// The first row of the table whose estimated processor time fits decides. Estimates are in nanoseconds, from counted
// operations and sizes; their factors were measured once.

#include "testutils/effort.hpp"

#include "testutils/oracle_comparison.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

struct Row {
  Depth depth;
  unsigned samples, brief_samples, edge_samples; ///< Parts of what is wanted: `samples` of three, ...
  std::size_t least_combinations;
};

constexpr std::size_t every_combination = std::numeric_limits<std::size_t>::max();
constexpr std::array<Row, 6> table{{{Depth::every_check, 3, 12, 6, every_combination},
                                    {Depth::every_check, 2, 4, 2, 32},
                                    {Depth::every_check, 1, 2, 1, 16},
                                    {Depth::every_check, 1, 0, 0, 8},
                                    {Depth::derivative, 2, 0, 0, 6},
                                    {Depth::derivative, 1, 0, 0, 0}}};
constexpr unsigned whole_samples = 3;
constexpr std::size_t least_combinations = 2;

// Nanoseconds.
constexpr double per_operation = 0.4, per_number = 50, per_call = 5e3;
constexpr double per_wide_operation = 200, per_followed_operation = 40;
constexpr double per_instruction_compiled = 2e5;
// Calls of the function that take as long as one of a derivative: the mean of both modes and all widths.
constexpr double calls_in_derivative = 6;
// Of one combination at a point: derivatives, and directions of the oracle beyond the inputs that are compared one by
// one and beyond those that another combination has asked for.
constexpr double derivatives_in_every_check = 20, directions_in_every_check = 3;
constexpr double derivatives_in_few_checks = 4, directions_in_few_checks = 1.5;
// What a derivative along a direction takes.
constexpr double calls_in_direction = 14, wide_runs_in_direction = 5;
// To find out what the function writes and reads.
constexpr double calls_in_point = 6, calls_in_every_check_of_point = 16;
constexpr double derivatives_compiled_for_combination = 2.2;
// Of numbers that the first wrong one is sought among.
constexpr std::uint64_t most_localised_operations = 262144;
// A widened run is cut off there.
constexpr std::uint64_t most_wide_operations = 2'000'000;
// Parts of the time: to explain failures; that wide arithmetic may take of a small check.
constexpr double part_of_explanations = 0.5, part_of_wide_arithmetic = 0.5;

/// What is estimated is about what is used; a busy machine is no faster than the estimate's.
constexpr double useful_part = 0.5;

struct Estimate {
  CostOfShape shape;
  bool is_wide;

  double call() const {
    return per_call + per_operation * static_cast<double>(shape.call.operations) +
           per_number * static_cast<double>(shape.numbers);
  }
  double derivative() const { return calls_in_derivative * call(); }
  double direction() const {
    return is_wide ? wide_runs_in_direction * (wide_run() + calls_in_derivative * call()) : calls_in_direction * call();
  }
  double wide_run() const {
    return per_wide_operation * static_cast<double>(shape.call.real_operations) +
           per_followed_operation * static_cast<double>(shape.call.operations);
  }
  bool is_dense() const { return shape.active_inputs <= largest_dense_input; }

  /// One combination at one point.
  double every_check() const {
    return derivatives_in_every_check * derivative() + (is_dense() ? 0 : directions_in_every_check * direction());
  }
  double few_checks() const {
    return derivatives_in_few_checks * derivative() + (is_dense() ? 0 : directions_in_few_checks * direction());
  }
  /// Once for all combinations.
  double point(Depth depth) const {
    return (calls_in_point + (depth == Depth::every_check ? calls_in_every_check_of_point : 0)) * call() +
           (is_dense() ? static_cast<double>(shape.active_inputs) * direction() : 0);
  }
};

struct Points {
  Depth depth;
  unsigned samples, brief_samples, edge_samples;
};

/// The row's part of what is wanted; one point is left.
Points points_of(const Row &row, const WantedEffort &wanted) {
  const auto part = [&](unsigned of_row) { return of_row * wanted.samples / whole_samples; };
  if (!wanted.has_further_points)
    return {row.depth, std::max(1U, part(row.samples)), 0, 0};
  return {row.depth, std::max(1U, part(row.samples)), part(row.brief_samples), part(row.edge_samples)};
}

/// Each further point is one of a few checks.
double shared_cost(const Estimate &estimate, const Points &points) {
  return points.samples * estimate.point(points.depth) +
         (points.brief_samples + points.edge_samples) * estimate.point(Depth::derivative);
}

double combination_cost(const Estimate &estimate, const Points &points) {
  const double each = points.depth == Depth::every_check ? estimate.every_check() : estimate.few_checks();
  return points.samples * each + (points.brief_samples + points.edge_samples) * estimate.few_checks();
}

struct Estimates {
  std::vector<Estimate> shapes;
  double compiled_once = 0, compiled_for_combination = 0;

  Estimates(const std::vector<CostOfShape> &costs, const std::vector<bool> &are_wide) {
    for (std::size_t index = 0; index < costs.size(); ++index)
      shapes.push_back({costs[index], are_wide[index]});
    const double code = costs.empty() ? 0 : static_cast<double>(costs.front().call.code_size);
    compiled_once = per_instruction_compiled * code;
    compiled_for_combination = derivatives_compiled_for_combination * per_instruction_compiled * code;
  }

  template <class Cost>
  double sum(Cost &&cost) const {
    double sum = 0;
    for (const Estimate &shape : shapes)
      sum += cost(shape);
    return sum;
  }

  /// How many combinations there is time for.
  double affordable(const Points &points, double time) const {
    const double once = compiled_once + sum([&](const Estimate &shape) { return shared_cost(shape, points); });
    const double each =
        compiled_for_combination + sum([&](const Estimate &shape) { return combination_cost(shape, points); });
    return (time - once) / each;
  }
};

/// The time of wide arithmetic in a small check of the shape; infinite where a call would be cut off.
double wide_cost(const CostOfShape &shape) {
  constexpr double few_combinations = 4;
  if (shape.call.real_operations > most_wide_operations)
    return std::numeric_limits<double>::infinity();
  const Estimate estimate{shape, true};
  return estimate.is_dense() ? estimate.point(Depth::derivative)
                             : few_combinations * directions_in_few_checks * estimate.direction();
}

/// The cheapest shapes for which there is time: those of small sizes show most of what a function does.
std::vector<bool> shapes_with_wide_arithmetic(const std::vector<CostOfShape> &shapes, double time) {
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t index) { return std::pair(wide_cost(shapes[index]), index); });
  std::vector<bool> are_wide(shapes.size());
  double left = part_of_wide_arithmetic * time;
  for (const std::size_t index : order) {
    left -= wide_cost(shapes[index]);
    are_wide[index] = left >= 0;
  }
  return are_wide;
}

void limit_explanations(Effort &effort, const Estimates &estimates, double time) {
  constexpr double checks_in_explanation = 12, part_of_failing_check = 1.0 / 3;
  // Of many inputs the wrong one is sought along directions, with each oracle.
  constexpr double directions_in_failing_check = 30;
  double check = 0, step = 0;
  if (!estimates.shapes.empty()) {
    const Estimate &shape = estimates.shapes.back();
    check = shape.every_check();
    step = part_of_failing_check * check + (shape.is_dense() ? 0 : directions_in_failing_check * shape.direction());
  }
  const double left = part_of_explanations * time;
  const double rest = checks_in_explanation * check;
  effort.shrink_steps = static_cast<unsigned>(std::clamp((left - rest) / step, 0.0, 200.0));
  const double explanations = left / (effort.shrink_steps * step + rest);
  if (explanations < static_cast<double>(effort.combinations))
    effort.explanations = static_cast<unsigned>(explanations);
  for (const Estimate &shape : estimates.shapes)
    if (shape.shape.call.real_operations > most_localised_operations)
      effort.localisations = 0;
}

/// Scanned points: a small part of the time. One combination of each mode has them.
void limit_scan(Effort &effort, const Estimates &estimates, double time) {
  constexpr double part_of_scan = 0.05, modes = 2, most = 1000;
  const double point =
      estimates.sum([&](const Estimate &shape) { return shape.point(Depth::derivative) + modes * shape.few_checks(); });
  effort.scanned_samples = static_cast<unsigned>(std::min(part_of_scan * time / point, most));
}

/// Calls in a row of each combination: a small part of the time.
void limit_earlier_calls(Effort &effort, const Estimates &estimates, double time) {
  constexpr double part_of_earlier_calls = 0.05;
  const double calls = estimates.sum([](const Estimate &shape) { return shape.derivative(); }) *
                       static_cast<double>(effort.combinations);
  effort.earlier_calls = static_cast<unsigned>(
      std::clamp(part_of_earlier_calls * time / calls, 0.0, static_cast<double>(CheckOptions().earlier_calls)));
}

std::string part_in_words(std::size_t part, std::size_t whole, std::string_view things) {
  return part == whole ? "" : fmt::format("{} of {} {}", part, whole, things);
}

std::string left_out_of_wide_arithmetic(const std::vector<bool> &wide_shapes) {
  const std::size_t without = static_cast<std::size_t>(std::ranges::count(wide_shapes, false));
  if (without == 0)
    return "";
  return without == wide_shapes.size()
             ? "no wide arithmetic"
             : fmt::format("no wide arithmetic at {} of {} sizes", without, wide_shapes.size());
}

std::string in_words(const Effort &effort, const WantedEffort &wanted, const std::vector<CostOfShape> &shapes) {
  const Points whole = points_of(table.front(), wanted);
  std::vector<std::string> parts{
      wanted.budget == 0 ? part_in_words(effort.combinations, wanted.combinations, "combinations") : "",
      part_in_words(effort.samples, whole.samples, "points"),
      part_in_words(effort.brief_samples + effort.edge_samples, whole.brief_samples + whole.edge_samples,
                    "further points"),
      effort.depth == Depth::every_check ? "" : "only the derivative at each",
      left_out_of_wide_arithmetic(effort.wide_shapes)};
  std::erase(parts, "");
  if (parts.empty())
    return {};
  if (!wanted.cost.empty())
    return fmt::format("{}: {}", fmt::join(parts, ", "), wanted.cost);
  std::uint64_t operations = 0;
  for (const CostOfShape &shape : shapes)
    operations = std::max(operations, shape.call.operations);
  return fmt::format("{}: a call takes {:.2g} operations on {} numbers, and its code has {} instructions",
                     fmt::join(parts, ", "), static_cast<double>(operations), shapes.back().numbers,
                     shapes.front().call.code_size);
}

std::size_t active_count(const Combination &combination) {
  const auto is_active = [](Activity activity) {
    return activity == Activity::active || activity == Activity::duplicated;
  };
  return static_cast<std::size_t>(
             std::count_if(combination.arguments.begin(), combination.arguments.end(), is_active)) +
         (is_active(combination.result) ? 1 : 0);
}

bool is_plain(const Combination &combination) {
  return combination.width == 1 && combination.form == Form::combined &&
         combination.runtime_activity == RuntimeActivity::off;
}

/// The position of the plain combination in which most is active; none in this mode: the size.
std::size_t fullest(const std::vector<Combination> &all, Mode mode) {
  std::size_t found = all.size();
  for (std::size_t index = 0; index < all.size(); ++index)
    if (all[index].mode == mode && is_plain(all[index]) &&
        (found == all.size() || active_count(all[index]) > active_count(all[found])))
      found = index;
  return found;
}

} // namespace

CostOfShape cost_of_shape(const CallCost &call, const Signature &signature) {
  CostOfShape cost{call, signature.result ? signature.result->size() : 0, 0};
  for (const Parameter &parameter : signature.parameters) {
    cost.numbers += parameter.size();
    cost.active_inputs += parameter.differentiable() ? parameter.size() : 0;
  }
  return cost;
}

Effort choose_effort(const std::vector<CostOfShape> &shapes, const WantedEffort &wanted) {
  constexpr double nanoseconds = 1e9;
  const double time = useful_part * wanted.seconds * nanoseconds;
  Effort effort;
  effort.wide_shapes = shapes_with_wide_arithmetic(shapes, time);
  const Estimates estimates(shapes, effort.wide_shapes);
  const std::size_t asked = wanted.budget == 0 ? wanted.combinations : std::min(wanted.budget, wanted.combinations);
  for (const Row &row : table) {
    const Points points = points_of(row, wanted);
    const double affordable = estimates.affordable(points, time);
    const double least =
        wanted.budget == 0 ? static_cast<double>(std::min(asked, row.least_combinations)) : static_cast<double>(asked);
    effort.depth = points.depth;
    effort.samples = points.samples;
    effort.brief_samples = points.brief_samples;
    effort.edge_samples = points.edge_samples;
    effort.combinations = asked;
    effort.affordable = static_cast<std::size_t>(std::clamp(affordable, 0.0, 1e6));
    if (wanted.budget == 0 && affordable < static_cast<double>(asked))
      effort.combinations =
          std::max(std::min(asked, least_combinations), static_cast<std::size_t>(std::max(affordable, 0.0)));
    if (wanted.keeps_samples || affordable >= least)
      break;
  }
  limit_explanations(effort, estimates, time);
  limit_earlier_calls(effort, estimates, time);
  limit_scan(effort, estimates, time);
  effort.left_out = in_words(effort, wanted, shapes);
  return effort;
}

std::vector<Combination> draw_combinations(const std::vector<Combination> &all, std::size_t count,
                                           const CheckOptions &options) {
  std::vector<bool> is_chosen(all.size());
  std::size_t chosen = 0;
  for (const Mode mode : {Mode::forward, Mode::reverse})
    if (const std::size_t index = fullest(all, mode); index < all.size() && chosen < count) {
      is_chosen[index] = true;
      ++chosen;
    }
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "effort"});
  std::size_t left = all.size() - chosen;
  for (std::size_t index = 0; index < all.size() && chosen < count; ++index) { // Selection sampling, Knuth 3.4.2 S
    if (is_chosen[index])
      continue;
    if (static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(left--) - 1)) < count - chosen) {
      is_chosen[index] = true;
      ++chosen;
    }
  }
  std::vector<Combination> drawn;
  for (std::size_t index = 0; index < all.size(); ++index)
    if (is_chosen[index])
      drawn.push_back(all[index]);
  return drawn;
}

std::vector<Combination> fit_combinations(OfferedCombinations offered, const Effort &effort,
                                          const CheckOptions &options) {
  const std::size_t usual = offered.usual.size();
  if (effort.combinations < usual)
    return draw_combinations(offered.usual, effort.combinations, options);
  offered.patterns.resize(std::min(offered.patterns.size(), std::max(effort.affordable, usual) - usual));
  return all_of(std::move(offered));
}

} // namespace assay::testutils
