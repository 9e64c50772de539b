#include "generators/programs/range.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

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

std::optional<Rectangle> within_type(Rectangle range) {
  const bool known = !std::isnan(range.real.low + range.real.high + range.imaginary.low + range.imaginary.high);
  return known && range.within({-largest_real, largest_real}) ? std::optional(range) : std::nullopt;
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
  case Operation::splat:
    return x[0];
  case Operation::shuffle:
    return hull(x[0], x[1]);
  case Operation::make_vector:
    return std::accumulate(x.begin(), x.end(), x[0], hull);
  default:
    return std::nullopt;
  }
}

std::optional<Rectangle> combine(const Node &node, const std::vector<Rectangle> &z) {
  switch (node.operation) {
  case Operation::negate:
    return Rectangle{} - z[0];
  case Operation::conjugate:
    return Rectangle{z[0].real, {-z[0].imaginary.high, -z[0].imaginary.low}};
  case Operation::add:
    return z[0] + z[1];
  case Operation::subtract:
    return z[0] - z[1];
  case Operation::multiply:
  case Operation::scale:
    return z[0] * z[1];
  case Operation::divide:
    return z[0] / z[1];
  case Operation::convert:
    return z[0];
  case Operation::make_complex:
    return Rectangle{z[0].real, z[1].real};
  case Operation::complex_math: {
    const ComplexFunction &function = complex_functions()[static_cast<std::size_t>(node.id)];
    const bool inside = z[0].real.within(function.domain.real) && z[0].imaginary.within(function.domain.imaginary);
    return inside ? std::optional(function.range(z[0])) : std::nullopt;
  }
  case Operation::select:
    return Rectangle{hull(z[1].real, z[2].real), hull(z[1].imaginary, z[2].imaginary)};
  default:
    return std::nullopt;
  }
}

/// The real and the imaginary part of a value that is not a place.
Range part_range(const Node &node, const Context &context) {
  const auto range = rectangle_of(node.children[0], context);
  if (!range)
    return std::nullopt;
  return node.operation == Operation::imaginary_part ? range->imaginary : range->real;
}

bool is_place(const Node &node) {
  switch (node.operation) {
  case Operation::variable:
  case Operation::global:
  case Operation::element:
  case Operation::field:
  case Operation::item:
  case Operation::lanes:
    return true;
  case Operation::real_part:
  case Operation::imaginary_part:
    return is_place(node.children[0]);
  default:
    return false;
  }
}

bool is_call(const Node &node) {
  return node.operation == Operation::call || node.operation == Operation::call_callback ||
         node.operation == Operation::read_tagged;
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
  case Operation::item:
  case Operation::lanes:
  case Operation::real_part:
  case Operation::imaginary_part:
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
  if (is_call(value))
    return result_range(value.type);
  if (value.operation == Operation::real_part || value.operation == Operation::imaginary_part)
    return part_range(value, context);
  if (value.operation == Operation::complex_math) {
    const auto range = rectangle_of(value, context);
    return range ? Range(range->real) : std::nullopt;
  }
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

std::optional<Rectangle> rectangle_of(const Node &value, const Context &context) {
  if (!value.type.is_complex() && value.operation != Operation::complex_math) {
    const Range range = range_of(value, context);
    return range ? std::optional(Rectangle{*range, {0, 0}}) : std::nullopt;
  }
  if (value.operation == Operation::literal)
    return Rectangle{{value.value, value.value}, {0, 0}};
  if (is_place(value) || is_call(value))
    return Rectangle{{-real_bound, real_bound}, {-real_bound, real_bound}};
  std::vector<Rectangle> operands;
  for (const Node &child : value.children) {
    const auto range = rectangle_of(child, context);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  const auto range = combine(value, operands);
  return range ? within_type(*range) : std::nullopt;
}

bool stays_within(const Node &value, Interval bounds, const Context &context) {
  if (value.type.is_complex()) {
    const auto rectangle = rectangle_of(value, context);
    return rectangle && rectangle->within(bounds);
  }
  const Range range = range_of(value, context);
  return range && range->within(bounds);
}

} // namespace assay::gen::programs
