// A column of the Jacobian is the derivative of a curve in one coordinate, taken in the element's own type, so that
// every point of the stencil is exact; a direction is a line through the point in double.

#include "testutils/oracle.hpp"

#include "testutils/along_direction.hpp"
#include "testutils/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::testutils {

void Guess::add(double weight, const Guess &other) {
  if (weight == 0)
    return;
  value += weight * other.value;
  error += std::abs(weight) * other.error;
  step = std::max(step, other.step);
  radius = std::max(radius, other.radius);
  if (trouble == fdm::Trouble::none)
    trouble = other.trouble;
  coarse = coarse || other.coarse;
}

double moved_roundoff(const Signature &signature, const Arguments &direction) {
  double coarsest = 0;
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      if (const ElementType type = signature.parameters[index].element_type(element);
          direction[index][element] != 0 && is_coarse(type))
        coarsest = std::max(coarsest, epsilon_of(type) / 2);
  return coarsest;
}

double collected_roundings(double roundoff, double value) {
  constexpr double roundings = 64;
  return roundings * roundoff * std::abs(value);
}

// What passes through float is only as accurate as float.
static fdm::FiniteDifferenceMethod with_precision_of(const Signature &signature,
                                                     const fdm::FiniteDifferenceMethod &method) {
  if (method.options.epsilon != 0 || !is_coarse(coarsest_element(signature)))
    return method;
  fdm::Options options = method.options;
  options.epsilon = epsilon_of(coarsest_element(signature));
  return {method.grid, method.derivative, options};
}

static fdm::FiniteDifferenceMethod seen_from(const Look &look, const fdm::FiniteDifferenceMethod &method) {
  fdm::Options options = method.options;
  options.max_range = std::min(options.max_range, look.range);
  switch (look.side) {
  case Look::Side::above:
    return fdm::forward_fdm(method.order(), method.derivative, options);
  case Look::Side::below:
    return fdm::backward_fdm(method.order(), method.derivative, options);
  case Look::Side::both:
    break;
  }
  return {method.grid, method.derivative, options};
}

FiniteDifferenceOracle::FiniteDifferenceOracle(Subject &subject, const Point &point,
                                               const fdm::FiniteDifferenceMethod &method)
    : Oracle(subject, point), method(method), method_float(with_precision_of(subject.signature(), method)),
      evaluations(subject, point.outputs) {}

namespace {

template <class T>
void evaluate_into(EvaluationMemo &evaluations, const Arguments &inputs, std::span<T> outputs) {
  const Values &flat = evaluations.at(inputs);
  std::transform(flat.begin(), flat.end(), outputs.begin(), [](double value) { return static_cast<T>(value); });
}

template <class T>
std::vector<Guess> guesses_of(const std::vector<fdm::Estimate<T>> &estimates) {
  std::vector<Guess> guesses;
  for (const fdm::Estimate<T> &estimate : estimates)
    guesses.push_back({static_cast<double>(estimate.value), static_cast<double>(estimate.error),
                       static_cast<double>(estimate.step), static_cast<double>(estimate.radius), estimate.trouble});
  return guesses;
}

// A domain without zero is the half of it that the value is in.
fdm::Domain limits_around(const Domain &domain, double value) {
  if (!domain.excludes_zero)
    return {domain.low, domain.high};
  return value > 0 ? fdm::Domain{std::max(domain.low, 0.0), domain.high}
                   : fdm::Domain{domain.low, std::min(domain.high, 0.0)};
}

// All elements that move along a direction, as one vector of variables.
struct Line {
  Subject &subject;
  const Point &point;
  Values start;
  Values slope;
  std::vector<fdm::Domain> limits;
  std::vector<Place> places;

  Line(Subject &subject, const Point &point, const Arguments &direction) : subject(subject), point(point) {
    for (std::size_t parameter = 0; parameter < direction.size(); ++parameter)
      for (std::size_t element = 0; element < direction[parameter].size(); ++element) {
        if (direction[parameter][element] == 0)
          continue;
        const double value = point.inputs[parameter][element];
        start.push_back(value);
        slope.push_back(direction[parameter][element]);
        limits.push_back(limits_around(subject.signature().parameters[parameter].domain, value));
        places.push_back({parameter, element, 0});
      }
  }

  Arguments inputs_at(std::span<const double> variables) const {
    Arguments inputs = point.inputs;
    for (std::size_t index = 0; index < places.size(); ++index) {
      const std::size_t parameter = *places[index].parameter;
      inputs[parameter][places[index].element] =
          rounded_to(subject.signature().parameters[parameter].element_type(places[index].element), variables[index]);
    }
    return inputs;
  }
};

template <class T>
std::vector<Guess> differentiate_column(Subject &subject, const Point &point, EvaluationMemo &evaluations,
                                        std::size_t parameter, std::size_t element,
                                        const fdm::FiniteDifferenceMethod &method) {
  Arguments inputs = point.inputs;
  const double start = inputs[parameter][element];
  const auto coordinate = static_cast<T>(start);
  const fdm::Domain limits = limits_around(subject.signature().parameters[parameter].domain, start);
  const auto function = [&](std::span<const T> variable, std::span<T> outputs) {
    inputs[parameter][element] = static_cast<double>(variable[0]);
    evaluate_into(evaluations, inputs, outputs);
  };
  return guesses_of(
      fdm::jacobian<T>(method, function, std::span(&coordinate, 1), point.outputs.size(), std::span(&limits, 1))
          .elements);
}

} // namespace

const std::vector<Guess> &Oracle::column(std::size_t parameter, std::size_t element) {
  const auto found = columns.find({parameter, element});
  if (found != columns.end())
    return found->second;
  return columns[{parameter, element}] = new_column(parameter, element);
}

const std::vector<Guess> &Oracle::along(const Arguments &direction) {
  const auto found = directions.find(direction);
  return found != directions.end() ? found->second : directions[direction] = new_along(direction);
}

static void make_coarse(Guess &guess) {
  guess.coarse = true;
  guess.error += collected_roundings(epsilon_of(ElementType::single_precision) / 2, guess.value);
}

static std::vector<Guess> unknown_guesses(std::size_t count) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Guess guess{unknown, std::numeric_limits<double>::infinity(), 0, 0, fdm::Trouble::no_room, true};
  return std::vector<Guess>(count, guess);
}

bool FiniteDifferenceOracle::sees_differences() const {
  return !is_of_16_bits(coarsest_element(subject.signature()));
}

std::string FiniteDifferenceOracle::excuse() const {
  if (sees_differences())
    return {};
  return fmt::format("finite differences cannot resolve derivatives of {}",
                     name_of(coarsest_element(subject.signature())));
}

// A part that is rounded to float may stand still between close points, beside a part that moves smoothly: nobody can
// see that there is none. So where there is float, the whole function is taken to be only as accurate as that.
template <class Differentiate>
std::vector<Guess> FiniteDifferenceOracle::by_precision(Differentiate &&differentiate) {
  if (!is_coarse(coarsest_element(subject.signature())))
    return differentiate(Precision::as_asked);
  if (!sees_differences())
    return unknown_guesses(point.outputs.size());
  std::vector<Guess> guesses = differentiate(Precision::of_float);
  std::for_each(guesses.begin(), guesses.end(), make_coarse);
  return guesses;
}

fdm::FiniteDifferenceMethod FiniteDifferenceOracle::method_for(Precision precision, const Look *look) const {
  const fdm::FiniteDifferenceMethod &wanted = precision == Precision::of_float ? method_float : method;
  return look ? seen_from(*look, wanted) : wanted;
}

std::vector<Guess> FiniteDifferenceOracle::column_by(std::size_t parameter, std::size_t element, const Look *look) {
  const Signature &signature = subject.signature();
  if (signature.parameters[parameter].element_type(element) == ElementType::single_precision && sees_differences()) {
    std::vector<Guess> column = differentiate_column<float>(subject, point, evaluations, parameter, element,
                                                            method_for(Precision::as_asked, look));
    std::for_each(column.begin(), column.end(), make_coarse);
    return column;
  }
  return by_precision([&](Precision precision) {
    return differentiate_column<double>(subject, point, evaluations, parameter, element, method_for(precision, look));
  });
}

std::vector<Guess> FiniteDifferenceOracle::new_column(std::size_t parameter, std::size_t element) {
  return column_by(parameter, element, nullptr);
}

std::vector<Guess> FiniteDifferenceOracle::column_again(std::size_t parameter, std::size_t element, const Look &look) {
  return look.range > 0 ? column_by(parameter, element, &look) : std::vector<Guess>();
}

std::vector<Guess> FiniteDifferenceOracle::new_along(const Arguments &direction) {
  return along_by(direction, nullptr);
}

std::vector<Guess> FiniteDifferenceOracle::along_again(const Arguments &direction, const Look &look) {
  return look.range > 0 ? along_by(direction, &look) : std::vector<Guess>();
}

std::vector<Guess> FiniteDifferenceOracle::along_by(const Arguments &direction, const Look *look) {
  const Line line(subject, point, direction);
  if (line.places.empty())
    return std::vector<Guess>(point.outputs.size());
  const auto function = [&](std::span<const double> variables, std::span<double> outputs) {
    evaluate_into(evaluations, line.inputs_at(variables), outputs);
  };
  return by_precision([&](Precision precision) {
    return guesses_of(fdm::jvp<double>(method_for(precision, look), function, line.start, line.slope,
                                       point.outputs.size(), line.limits));
  });
}

namespace {

// In the precision that the function computes in: seen in a finer one, its own round-off looks like jumps.
template <class T>
fdm::Smoothness smoothness_along(EvaluationMemo &evaluations, const Line &line, const Values &weights, double radius) {
  Values flat(weights.size());
  const auto function = [&](std::span<const T> variables, std::span<T> outputs) {
    const Values moved(variables.begin(), variables.end());
    evaluate_into<double>(evaluations, line.inputs_at(moved), flat);
    double sum = 0;
    for (std::size_t index = 0; index < flat.size(); ++index)
      sum += weights[index] == 0 ? 0 : weights[index] * flat[index];
    outputs[0] = static_cast<T>(sum);
  };
  const std::vector<T> start(line.start.begin(), line.start.end()), slope(line.slope.begin(), line.slope.end());
  return fdm::probe_kinks<T>(function, start, slope, 1, radius, line.limits).front().smoothness;
}

} // namespace

fdm::Smoothness FiniteDifferenceOracle::smoothness(const Arguments &direction, const Values &weights, double radius) {
  const Line line(subject, point, direction);
  if (line.places.empty())
    return fdm::Smoothness::smooth;
  return is_coarse(coarsest_element(subject.signature()))
             ? smoothness_along<float>(evaluations, line, weights, radius)
             : smoothness_along<double>(evaluations, line, weights, radius);
}

std::optional<std::pair<double, double>> Oracle::change_along(const Arguments &direction, const Values &weights) const {
  constexpr double part = 0x1p-12;
  const double size = size_along(point.inputs, direction);
  const double length = part * (size == 0 ? 1 : size);
  Arguments moved = point.inputs;
  for (std::size_t index = 0; index < moved.size(); ++index)
    for (std::size_t element = 0; element < std::min(moved[index].size(), direction[index].size()); ++element)
      moved[index][element] = rounded_to(signature().parameters[index].element_type(element),
                                         moved[index][element] + length * direction[index][element]);
  try {
    const Values there = flat_outputs(subject.evaluate(moved), point.outputs),
                 here = flat_outputs(point.primal, point.outputs);
    double change = 0;
    for (std::size_t output = 0; output < here.size(); ++output)
      if (weights[output] != 0)
        change += weights[output] * (there[output] - here[output]);
    return std::pair(change, length);
  } catch (const SubjectError &) {
    return std::nullopt;
  }
}

std::optional<Oracle::Quotient> FiniteDifferenceOracle::quotient_along(const Arguments &direction,
                                                                       const Values &weights, double step) const {
  constexpr double roundings = 4; // Of the function, in units of its values.
  const AlongDirection along(subject, point, direction, weights);
  try {
    const std::optional<double> ahead = along.at(step), behind = along.at(-step);
    if (!ahead || !behind)
      return std::nullopt;
    const double rounding = roundings * epsilon_of(coarsest_element(signature()));
    return Quotient{(*ahead - *behind) / (2 * step), rounding * (std::abs(*ahead) + std::abs(*behind)) / (2 * step)};
  } catch (const SubjectError &) {
    return std::nullopt;
  }
}

} // namespace assay::testutils
