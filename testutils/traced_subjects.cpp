#include "testutils/traced_subjects.hpp"

#include <algorithm>

namespace assay::testutils {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

Parameter numbers(std::string name, const Signature &original, std::size_t count) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.element = coarsest_element(original);
  parameter.passing = Passing::buffer;
  parameter.extents = {count};
  return parameter;
}

} // namespace

bool same_way(const Trace &left, const Trace &right) {
  return left.count == right.count &&
         std::ranges::equal(left.numbers, right.numbers, {}, &Trace::Number::site, &Trace::Number::site);
}

NumbersOfRun::NumbersOfRun(const Signature &original, Tracer &tracer, const Trace &plain)
    : tracer(tracer), plain(plain), description(original) {
  description.result = numbers("number", original, plain.numbers.size());
}

PrimalOutcome NumbersOfRun::evaluate(const Arguments &inputs) {
  Trace trace;
  tracer.evaluate(inputs, {}, trace);
  PrimalOutcome outcome{Values(plain.numbers.size(), not_known), inputs, {}};
  if (same_way(trace, plain))
    std::ranges::transform(trace.numbers, outcome.result.begin(), &Trace::Number::value);
  return outcome;
}

DerivativeOutcome NumbersOfRun::differentiate(const DerivativeRequest &) {
  throw SubjectError("numbers of a run are only looked at");
}

Point NumbersOfRun::point_at(const Point &original) const {
  Point point = original;
  point.outputs.clear();
  for (std::size_t index = 0; index < plain.numbers.size(); ++index)
    point.outputs.push_back({std::nullopt, index, 0});
  return point;
}

MovedNumbers::MovedNumbers(const Signature &original, Tracer &tracer, const Trace &plain, const Point &point,
                           Values weights)
    : tracer(tracer), plain(plain), point(point), weights(std::move(weights)) {
  description.function = original.function;
  description.parameters = {numbers("amount", original, plain.numbers.size())};
  description.parameters.front().element = ElementType::double_precision;
  description.result = numbers("sum", original, 1);
}

PrimalOutcome MovedNumbers::evaluate(const Arguments &amounts) {
  Trace trace;
  const PrimalOutcome moved = tracer.evaluate(point.inputs, amounts.front(), trace);
  PrimalOutcome outcome{{not_known}, amounts, {}};
  if (!same_way(trace, plain))
    return outcome;
  const Values flat = flat_outputs(moved, point.outputs);
  outcome.result = {0};
  for (std::size_t index = 0; index < flat.size(); ++index)
    outcome.result.front() += weights[index] == 0 ? 0 : weights[index] * flat[index];
  return outcome;
}

DerivativeOutcome MovedNumbers::differentiate(const DerivativeRequest &) {
  throw SubjectError("numbers of a run are only moved");
}

Point MovedNumbers::origin() const {
  Point origin;
  origin.inputs = {Values(plain.numbers.size())};
  origin.written = {false};
  origin.unread = {{}};
  origin.outputs = {{std::nullopt, 0, 0}};
  return origin;
}

} // namespace assay::testutils
