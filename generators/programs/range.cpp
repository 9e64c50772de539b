#include "generators/programs/range.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace assay::gen::programs {

namespace {

using Range = std::optional<Interval>;

constexpr double largest_integer = 1e9;
constexpr double largest_real = 1e6;
constexpr double smallest_divisor = 0.05;

Interval truth() {
  return {0, 1};
}

Range within_type(const Node &node, Interval range) {
  const double limit = node.type.is_integer() ? largest_integer : largest_real;
  if (range.low < -limit || range.high > limit || std::isnan(range.low) || std::isnan(range.high))
    return std::nullopt;
  return range;
}

Range divide(Interval numerator, Interval divisor) {
  if (divisor.low < smallest_divisor && divisor.high > -smallest_divisor)
    return std::nullopt;
  return numerator * Interval{1 / divisor.high, 1 / divisor.low};
}

/// The next power of two bounds what bits can be set.
Interval bit_range(Interval left, Interval right) {
  const double largest =
      std::max({std::fabs(left.low), std::fabs(left.high), std::fabs(right.low), std::fabs(right.high)});
  const double power = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(largest) + 1));
  return {left.low >= 0 && right.low >= 0 ? 0 : -power, power - 1};
}

Interval and_range(Interval left, Interval right) {
  if (left.low < 0 && right.low < 0)
    return bit_range(left, right);
  if (left.low < 0)
    return {0, right.high};
  return {0, right.low < 0 ? left.high : std::min(left.high, right.high)};
}

Interval remainder_range(Interval range, int divisor) {
  const double largest = divisor - 1;
  return {range.low < 0 ? std::max(range.low, -largest) : 0, range.high > 0 ? std::min(range.high, largest) : 0};
}

Range convert(const Node &node, Interval range) {
  if (!node.type.is_integer())
    return range;
  const Interval whole{std::trunc(range.low), std::trunc(range.high)};
  const double limit = node.type.count == 8 ? 127 : largest_integer;
  return whole.within({-limit, limit}) ? Range(whole) : std::nullopt;
}

Range math(const Node &node, const std::vector<Interval> &arguments) {
  const MathFunction &function = math_functions()[static_cast<std::size_t>(node.id)];
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].within(function.domain[i]))
      return std::nullopt;
  return function.range(arguments);
}

Interval result_range(const Type &type) {
  if (type.is_integer())
    return {-integer_bound, integer_bound};
  return {-real_bound, real_bound};
}

Range combine(const Node &node, const std::vector<Interval> &x) {
  switch (node.operation) {
  case Operation::negate:
    return Interval{-x[0].high, -x[0].low};
  case Operation::add:
    return x[0] + x[1];
  case Operation::subtract:
    return x[0] - x[1];
  case Operation::multiply:
    return x[0] * x[1];
  case Operation::divide:
    return divide(x[0], x[1]);
  case Operation::remainder:
    return remainder_range(x[0], node.id);
  case Operation::wrap:
    return Interval{0, static_cast<double>(node.id - 1)};
  case Operation::bit_and:
    return and_range(x[0], x[1]);
  case Operation::bit_xor:
    return bit_range(x[0], x[1]);
  case Operation::shift_right:
    return Interval{std::floor(std::ldexp(x[0].low, -node.id)), std::floor(std::ldexp(x[0].high, -node.id))};
  case Operation::convert:
    return convert(node, x[0]);
  case Operation::math:
    return math(node, x);
  case Operation::select:
    return hull(x[1], x[2]);
  case Operation::less:
  case Operation::greater_equal:
  case Operation::equal:
  case Operation::logical_and:
  case Operation::logical_or:
    return truth();
  default:
    return std::nullopt;
  }
}

bool is_place(const Node &node) {
  switch (node.operation) {
  case Operation::variable:
  case Operation::global:
  case Operation::element:
  case Operation::field:
    return true;
  default:
    return false;
  }
}

} // namespace

const Variable *root_of(const Node &place, const Context &context) {
  switch (place.operation) {
  case Operation::variable:
    return &context.function->variables[static_cast<std::size_t>(place.id)];
  case Operation::global:
    return &context.program->globals[static_cast<std::size_t>(place.id)].variable;
  case Operation::element:
  case Operation::field:
  case Operation::address:
  case Operation::address_of:
    return root_of(place.children.front(), context);
  default:
    return nullptr;
  }
}

Interval range_of_place(const Node &place, const Context &context) {
  const Variable *root = root_of(place, context);
  if (!place.type.is_integer() || !root || place.operation == Operation::field)
    return result_range(place.type);
  return {static_cast<double>(root->low), static_cast<double>(root->high)};
}

std::optional<Interval> range_of(const Node &value, const Context &context) {
  if (value.operation == Operation::literal)
    return Interval{value.value, value.value};
  if (value.operation == Operation::depth_less_one)
    return Interval{0, context.function->variables.front().high - 1.0};
  if (is_place(value))
    return range_of_place(value, context);
  if (value.operation == Operation::call || value.operation == Operation::call_callback)
    return result_range(value.type);
  std::vector<Interval> operands;
  for (const Node &child : value.children) {
    const Range range = range_of(child, context);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  const Range range = combine(value, operands);
  return range ? within_type(value, *range) : std::nullopt;
}

} // namespace assay::gen::programs
