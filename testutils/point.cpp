#include "testutils/point.hpp"

#include "testutils/finding.hpp"
#include "testutils/thread_checks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace assay::testutils {

Values flat_outputs(const PrimalOutcome &outcome, const std::vector<Place> &outputs) {
  Values flat;
  flat.reserve(outputs.size());
  for (const Place &place : outputs)
    flat.push_back(place.parameter ? outcome.contents[*place.parameter][place.element] : outcome.result[place.element]);
  return flat;
}

const Parameter &parameter_at(const Signature &signature, const Place &place) {
  return place.parameter ? signature.parameters[*place.parameter] : *signature.result;
}

std::string path_of(const Signature &signature, const Place &place, unsigned width) {
  std::string path = parameter_at(signature, place).element_path(place.element);
  if (width != 1)
    path += " (lane " + std::to_string(place.lane) + ")";
  return path;
}

static std::vector<Place> output_places(const Signature &signature, const std::vector<bool> &written) {
  std::vector<Place> places;
  if (signature.result_differentiable())
    for (std::size_t element = 0; element < signature.result->size(); ++element)
      places.push_back({std::nullopt, element, 0});
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (written[index] && signature.parameters[index].differentiable())
      for (std::size_t element = 0; element < signature.parameters[index].size(); ++element)
        places.push_back({index, element, 0});
  return places;
}

/// Not itself, and nothing that a function of simple numbers may take for it.
static double another_than(double value) {
  return 0x1.3c6ef372fe95p-1 - 0x1.6a09e667f3bcdp-1 * value;
}

// Fills some elements of one buffer and sees whether anything that comes out changes.
template <class Fill>
static bool changes_nothing(Subject &subject, const Point &point, std::size_t parameter,
                            std::span<const std::size_t> elements, Fill &&fill) {
  Arguments others = point.inputs;
  for (const std::size_t element : elements)
    others[parameter][element] = fill(element);
  try {
    const PrimalOutcome outcome = subject.evaluate_anyway(others);
    return is_primal_of(point, subject.signature(), outcome);
  } catch (const SubjectError &) { // So it reads them.
    return false;
  }
}

// With other numbers, and with NaNs: a product with zero hides any other number.
static bool are_unread(Subject &subject, const Point &point, std::size_t parameter,
                       std::span<const std::size_t> elements) {
  const Parameter &type = subject.signature().parameters[parameter];
  const auto other = [&](std::size_t element) {
    return rounded_to(type.element_type(element), another_than(point.inputs[parameter][element]));
  };
  const auto not_a_number = [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); };
  return changes_nothing(subject, point, parameter, elements, other) &&
         (type.element == ElementType::integer || changes_nothing(subject, point, parameter, elements, not_a_number));
}

// Halves of what is not unread as a whole, as long as there are trials.
static void collect_unread(Subject &subject, const Point &point, std::size_t parameter,
                           std::span<const std::size_t> elements, unsigned &trials, std::vector<std::size_t> &unread) {
  if (elements.empty() || trials == 0)
    return;
  --trials;
  if (are_unread(subject, point, parameter, elements)) {
    unread.insert(unread.end(), elements.begin(), elements.end());
  } else if (elements.size() > 1) {
    collect_unread(subject, point, parameter, elements.first(elements.size() / 2), trials, unread);
    collect_unread(subject, point, parameter, elements.subspan(elements.size() / 2), trials, unread);
  }
}

static std::vector<std::size_t> find_unread(Subject &subject, const Point &point, std::size_t parameter) {
  constexpr unsigned most_trials = 16;
  std::vector<std::size_t> all(point.inputs[parameter].size()), overwritten, unread;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (are_unread(subject, point, parameter, all))
    return all;
  std::copy_if(all.begin(), all.end(), std::back_inserter(overwritten), [&](std::size_t element) {
    return !same_bits(point.primal.contents[parameter][element], point.inputs[parameter][element]);
  });
  unsigned trials = most_trials;
  collect_unread(subject, point, parameter, overwritten, trials, unread);
  return unread;
}

/// Each by another part, also in parameters that hold the same: numbers that are equal, or lie on a line, are so no
/// longer. Fixed numbers stay close.
static double moved_in_domain(const Parameter &parameter, std::size_t index, std::size_t element, double value) {
  constexpr double golden_ratio = 0x1.9e3779b97f4a8p+0, root_of_two = 0x1.6a09e667f3bcdp+0;
  const double part =
      1 + std::fmod(golden_ratio * static_cast<double>(element) + root_of_two * static_cast<double>(index), 1.0);
  const double step =
      part * (parameter.fixed.empty() ? 0x1p-6 : 0x1p-12) * std::max(parameter.domain.scale, std::abs(value));
  const double above = value + step;
  return rounded_to(parameter.element_type(element), above < parameter.domain.high ? above : value - step);
}

/// All differentiable numbers are others: `base(parameter, number)`, moved.
template <class Base>
static Arguments moved_inputs(const Signature &signature, const Arguments &inputs, Base base) {
  Arguments others = inputs;
  for (std::size_t index = 0; index < others.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    for (std::size_t element = 0; parameter.differentiable() && element < others[index].size(); ++element)
      others[index][element] = moved_in_domain(parameter, index, element, base(parameter, others[index][element]));
  }
  return others;
}

static bool is_any_unwritten(const Signature &signature, const Point &point) {
  for (std::size_t index = 0; index < point.written.size(); ++index)
    if (signature.parameters[index].differentiable() && signature.parameters[index].passing == Passing::buffer &&
        !point.written[index])
      return true;
  return false;
}

static void find_writes_beside(Subject &subject, Point &point, const Arguments &others) {
  const Signature &signature = subject.signature();
  if (!is_any_unwritten(signature, point))
    return;
  try {
    const PrimalOutcome outcome = subject.evaluate(others);
    for (std::size_t index = 0; index < others.size(); ++index)
      if (signature.parameters[index].differentiable() && signature.parameters[index].passing == Passing::buffer)
        point.written[index] = point.written[index] || !same_bits(outcome.contents[index], others[index]);
  } catch (const SubjectError &) { // The function does not go there.
  }
}

static bool is_of_usual_size(double number) {
  constexpr double usual = 0x1p10;
  return number == 0 || (std::abs(number) <= usual && std::abs(number) >= 1 / usual);
}

/// The same, or a number of usual size where the parameter may be that.
static double of_usual_size(const Parameter &parameter, double number) {
  const double usual = std::copysign(1, number);
  const Domain &domain = parameter.domain;
  const bool may_be_usual = parameter.fixed.empty() && domain.structure == gen::Structure::none && usual > domain.low &&
                            usual < domain.high && domain.step == 0;
  return may_be_usual && !is_of_usual_size(number) ? usual : number;
}

// A function may write the numbers that were there: the square of 1 is 1, smoothing leaves equal ones, and what is
// added to a large number may be lost in its rounding. The write shows when all numbers are others, or of usual size.
static void find_writes_of_equal_numbers(Subject &subject, Point &point) {
  const Signature &signature = subject.signature();
  const auto same = [](const Parameter &, double number) { return number; };
  find_writes_beside(subject, point, moved_inputs(signature, point.inputs, same));
  const auto are_usual = [](const Values &values) {
    return std::all_of(values.begin(), values.end(), is_of_usual_size);
  };
  if (!std::all_of(point.inputs.begin(), point.inputs.end(), are_usual))
    find_writes_beside(subject, point, moved_inputs(signature, point.inputs, of_usual_size));
}

bool is_primal_of(const Point &point, const Signature &signature, const PrimalOutcome &outcome) {
  if (!outcome.violations.empty() && point.primal.violations.empty())
    return false;
  if (same_bits(outcome.result, point.primal.result) && same_bits(outcome.contents, point.primal.contents))
    return true;
  return point.sums_vary && differ_by_order(signature, outcome, point.primal);
}

static void examine(Subject &subject, Point &point, Depth depth, WatchThreads watch_threads) {
  const Signature &signature = subject.signature();
  point.primal = subject.evaluate(point.inputs);
  point.sums_vary = subject.is_on_device();
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    point.written[index] = !same_bits(point.primal.contents[index], point.inputs[index]);
  find_writes_of_equal_numbers(subject, point);
  point.outputs = output_places(signature, point.written);

  const PrimalOutcome again = subject.evaluate(point.inputs);
  if (!is_primal_of(point, signature, again)) {
    point.verdict = Verdict::nondeterministic;
    point.trouble = "the function itself gives different bits when it is called twice with the same arguments";
    return;
  }
  // Code of the host that launches kernels has no other order of its threads to be called in, which would take long.
  if (depth == Depth::every_check || watch_threads == WatchThreads::always || subject.thread_orders().empty())
    point.trouble = trouble_of_threads(subject, point.inputs, point.primal, depth);
  if (!point.trouble.empty()) {
    point.verdict = Verdict::nondeterministic;
    return;
  }
  const Values flat = flat_outputs(point.primal, point.outputs);
  if (!std::all_of(flat.begin(), flat.end(), [](double value) { return std::isfinite(value); })) {
    point.verdict = Verdict::oracle_unreliable;
    point.trouble = "the function is not finite at this point";
    return;
  }
  if (depth != Depth::every_check)
    return;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (point.written[index] && signature.parameters[index].differentiable())
      point.unread[index] = find_unread(subject, point, index);
}

Point examine_point(Subject &subject, const Arguments &inputs, Depth depth, WatchThreads watch_threads) {
  const std::size_t count = subject.signature().parameters.size();
  Point point{inputs, {},           std::vector<bool>(count), std::vector<std::vector<std::size_t>>(count), {},
              {},     Verdict::pass};
  try {
    examine(subject, point, depth, watch_threads);
  } catch (const FunctionThrew &error) {
    point.verdict = Verdict::oracle_unreliable;
    point.trouble = fmt::format("the function has no value at this point: {}", error.what());
  } catch (const SubjectError &error) {
    point.verdict = Verdict::crash;
    point.trouble = fmt::format("the function cannot be run: {}", error.what());
  }
  return point;
}

} // namespace assay::testutils
