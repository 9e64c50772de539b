// A line x + t v through the point is a curve of all flat outputs; fdm differentiates it at t = 0. Along a single
// coordinate the curve runs in that coordinate instead, in the element's own type, so that every point of the stencil
// is exact.

#include "testutils/oracle.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

void Guess::add(double weight, const Guess &other) {
  if (weight == 0)
    return;
  value += weight * other.value;
  error += std::abs(weight) * other.error;
  step = std::max(step, other.step);
  if (trouble == fdm::Trouble::none)
    trouble = other.trouble;
}

// A function with float anywhere is only as accurate as float.
static fdm::FiniteDifferenceMethod with_precision_of(const Signature &signature,
                                                     const fdm::FiniteDifferenceMethod &method) {
  if (method.options.epsilon != 0 || coarsest_element(signature) != ElementType::single_precision)
    return method;
  fdm::Options options = method.options;
  options.epsilon = epsilon_of(ElementType::single_precision);
  return {method.grid, method.derivative, options};
}

Oracle::Oracle(Subject &subject, const Point &point, const fdm::FiniteDifferenceMethod &method)
    : subject(subject), point(point), method(method), method_double(with_precision_of(subject.signature(), method)) {}

namespace {

// Where the function cannot be run it has no value.
template <class T>
void evaluate_into(Subject &subject, const Arguments &inputs, const std::vector<Place> &places, std::span<T> outputs) {
  try {
    const Values flat = flat_outputs(subject.evaluate(inputs), places);
    std::copy(flat.begin(), flat.end(), outputs.begin());
  } catch (const SubjectError &) {
    std::fill(outputs.begin(), outputs.end(), std::numeric_limits<T>::quiet_NaN());
  }
}

template <class T>
std::vector<Guess> guesses_of(const std::vector<fdm::Estimate<T>> &estimates) {
  std::vector<Guess> guesses;
  for (const fdm::Estimate<T> &estimate : estimates)
    guesses.push_back({static_cast<double>(estimate.value), static_cast<double>(estimate.error),
                       static_cast<double>(estimate.step), estimate.trouble});
  return guesses;
}

fdm::Reach reach_of(const Parameter &parameter, double value, double speed) {
  const double room_below = std::max(0.0, value - parameter.domain.low);
  const double room_above = std::max(0.0, parameter.domain.high - value);
  const double pace = std::abs(speed);
  return speed >= 0 ? fdm::Reach{room_below / pace, room_above / pace}
                    : fdm::Reach{room_above / pace, room_below / pace};
}

// Inputs that exclude zero must not cross it either.
fdm::Reach keep_sign(const Parameter &parameter, double value, double speed, fdm::Reach reach) {
  if (!parameter.domain.excludes_zero || speed == 0)
    return reach;
  const double distance = std::abs(value / speed);
  const bool zero_is_above = (value < 0) == (speed > 0);
  double &side = zero_is_above ? reach.above : reach.below;
  side = std::min(side, distance);
  return reach;
}

} // namespace

const std::vector<Guess> &Oracle::column(std::size_t parameter, std::size_t element) {
  const auto [entry, is_new] = columns.try_emplace({parameter, element});
  if (!is_new)
    return entry->second;
  const Parameter &moved = subject.signature().parameters[parameter];
  const double start = point.inputs[parameter][element];
  const fdm::Reach reach = keep_sign(moved, start, 1, reach_of(moved, start, 1));
  Arguments inputs = point.inputs;
  const auto differentiate = [&]<class T>(const fdm::FiniteDifferenceMethod &by, T at) {
    std::vector<fdm::Estimate<T>> estimates(point.outputs.size());
    const auto curve = [&](T coordinate, std::span<T> outputs) {
      inputs[parameter][element] = static_cast<double>(coordinate);
      evaluate_into(subject, inputs, point.outputs, outputs);
    };
    fdm::detail::differentiate_curve<T>(by, curve, at, reach, estimates);
    return guesses_of(estimates);
  };
  entry->second = moved.element == ElementType::single_precision ? differentiate(method, static_cast<float>(start))
                                                                 : differentiate(method_double, start);
  return entry->second;
}

namespace {

// t in x + t v as a curve, with how far t may go.
struct Line {
  Subject &subject;
  const Point &point;
  const Arguments &direction;

  Arguments inputs_at(double t) const {
    Arguments inputs = point.inputs;
    for (std::size_t parameter = 0; parameter < inputs.size(); ++parameter)
      for (std::size_t element = 0; element < direction[parameter].size(); ++element)
        inputs[parameter][element] = rounded_to(subject.signature().parameters[parameter].element,
                                                inputs[parameter][element] + t * direction[parameter][element]);
    return inputs;
  }

  fdm::Reach reach() const {
    fdm::Reach least;
    for (std::size_t parameter = 0; parameter < direction.size(); ++parameter)
      for (std::size_t element = 0; element < direction[parameter].size(); ++element) {
        const Parameter &moved = subject.signature().parameters[parameter];
        const double speed = direction[parameter][element];
        if (speed == 0)
          continue;
        const double value = point.inputs[parameter][element];
        const fdm::Reach one = keep_sign(moved, value, speed, reach_of(moved, value, speed));
        least = {std::min(least.below, one.below), std::min(least.above, one.above)};
      }
    return least;
  }
};

} // namespace

std::vector<Guess> Oracle::along(const Arguments &direction) {
  const Line line{subject, point, direction};
  std::vector<fdm::Estimate<double>> estimates(point.outputs.size());
  const auto curve = [&](double t, std::span<double> outputs) {
    evaluate_into(subject, line.inputs_at(t), point.outputs, outputs);
  };
  fdm::detail::differentiate_curve<double>(method_double, curve, 0, line.reach(), estimates);
  return guesses_of(estimates);
}

fdm::Smoothness Oracle::smoothness(const Arguments &direction, const Values &weights, double radius) {
  const Line line{subject, point, direction};
  Values flat(point.outputs.size());
  const auto curve = [&](double t, std::span<double> outputs) {
    evaluate_into<double>(subject, line.inputs_at(t), point.outputs, flat);
    outputs[0] = 0;
    for (std::size_t index = 0; index < flat.size(); ++index)
      outputs[0] += weights[index] == 0 ? 0 : weights[index] * flat[index];
  };
  fdm::KinkProbe<double> probe;
  fdm::detail::probe_curve<double>(curve, 0, radius, line.reach(), std::span(&probe, 1));
  return probe.smoothness;
}

} // namespace assay::testutils
