// Complex numbers, vectors, and numbers in unions.
#include "generators/programs/generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::gen::programs {

namespace {

bool is_complex(const Type &type) {
  return type.is_complex();
}
bool is_vector(const Type &type) {
  return type.is_vector();
}
bool is_tagged(const Type &type) {
  return type.kind == Type::Kind::tagged;
}

} // namespace

bool Generator::holds(const Type &type, Type::Kind kind) const {
  if (type.kind == kind)
    return true;
  if (type.kind != Type::Kind::structure)
    return std::any_of(type.element.begin(), type.element.end(),
                       [&](const Type &element) { return holds(element, kind); });
  const auto &fields = program_.structures[static_cast<std::size_t>(type.id)].fields;
  return std::any_of(fields.begin(), fields.end(), [&](const Type &field) { return holds(field, kind); });
}

Node Generator::storable_number(const Type &type, int depth) {
  if (type.is_complex())
    return fitted_complex(complex_value(type, depth), real_bound);
  if (type.is_vector())
    return fitted(vector_value(type, depth), {-real_bound, real_bound});
  return storable_real(type, depth);
}

/// Both parts within the bound.
Node Generator::fitted_complex(Node value, double bound) {
  const Type type = value.type;
  const auto range = rectangle_of(value, context());
  if (!range)
    return literal(type, std::min(bound, 0.5));
  if (range->within({-bound, bound}))
    return value;
  const double largest = std::max({std::fabs(range->real.low), std::fabs(range->real.high),
                                   std::fabs(range->imaginary.low), std::fabs(range->imaginary.high)});
  const double factor = std::floor(bound / largest * 1000) / 1000;
  return node(Operation::scale, type, {std::move(value), literal(type.element[0], factor)});
}

Node Generator::complex_leaf(const Type &type) {
  for (int attempt = 0; attempt < 3; ++attempt)
    if (auto found = readable(is_complex)) {
      if (found->type == type)
        return std::move(*found);
      return node(Operation::convert, type, {std::move(*found)});
    }
  const Type part = type.element[0];
  return node(Operation::make_complex, type, {real_leaf(part), real_leaf(part)});
}

/// A function's value, with its argument moved into the domain.
Node Generator::complex_call(const Type &type, int depth) {
  const auto table = complex_functions();
  const int id = number(0, 5);
  const Rectangle domain = table[static_cast<std::size_t>(id)].domain;
  const bool right_half = domain.real.low > 0;
  const double bound = std::min(
      {domain.imaginary.high, right_half ? 2.0 : std::fabs(domain.real.low), 4.0, right_half ? 2.0 : domain.real.high});
  Node value = fitted_complex(complex_value(type, depth - 1), bound);
  if (right_half)
    value = node(Operation::add, type, {std::move(value), literal(type, bound + number(1, 8) / 4.0)});
  return node(Operation::complex_math, type, {std::move(value)}, id);
}

Node Generator::complex_value(const Type &type, int depth) {
  if (depth <= 0 || chance(0.2))
    return complex_leaf(type);
  const Type part = type.element[0];
  const int choice = number(0, 99);
  Node result;
  if (choice < 20)
    result = node(Operation::add, type, {complex_value(type, depth - 1), complex_value(type, depth - 1)});
  else if (choice < 30)
    result = node(Operation::subtract, type, {complex_value(type, depth - 1), complex_value(type, depth - 1)});
  else if (choice < 55)
    result = node(Operation::multiply, type, {complex_value(type, depth - 1), complex_value(type, depth - 1)});
  else if (choice < 62) {
    Node divisor = node(Operation::add, type, {fitted_complex(complex_value(type, depth - 1), 2), literal(type, 3)});
    result = node(Operation::divide, type, {complex_value(type, depth - 1), std::move(divisor)});
  } else if (choice < 67)
    result = node(Operation::conjugate, type, {complex_value(type, depth - 1)});
  else if (choice < 71)
    result = node(Operation::negate, type, {complex_value(type, depth - 1)});
  else if (choice < 76)
    result = node(Operation::scale, type, {complex_value(type, depth - 1), real(part, depth - 1)});
  else if (choice < 80)
    result =
        node(Operation::select, type, {condition(1), complex_value(type, depth - 1), complex_value(type, depth - 1)});
  else if (choice < 90)
    result = node(Operation::make_complex, type, {real(part, depth - 1), real(part, depth - 1)});
  else
    result = complex_call(type, depth);
  const auto range = rectangle_of(result, context());
  return range && range->within({-40, 40}) ? result : fitted_complex(std::move(result), real_bound);
}

void Generator::declare_complex(Node &block) {
  const Type type = complex_type();
  Node value = storable_number(type, 3);
  const int id = new_variable({type});
  block.children.push_back(node(Operation::declare, {}, {std::move(value)}, id));
  visible_.push_back(id);
}

void Generator::assign_complex(Node &block) {
  auto place = writable(is_complex);
  if (!place)
    return declare_complex(block);
  const Type type = place->type;
  block.children.push_back(node(Operation::assign, {}, {std::move(*place), storable_number(type, 3)}));
}

Type Generator::vector_type() {
  if (likely(0.2, weights_.floats))
    return vector_of(real32(), 4);
  return vector_of(real64(), chance(0.6) ? 4 : 2);
}

Node Generator::vector_leaf(const Type &type) {
  for (int attempt = 0; attempt < 3; ++attempt)
    if (auto found = readable(is_vector); found && found->type == type)
      return std::move(*found);
  if (chance(0.4))
    if (auto memory = pointer(pointer_to(type.element[0], type.count), true))
      return node(Operation::lanes, type, {std::move(*memory)});
  if (chance(0.5))
    return node(Operation::splat, type, {real_leaf(type.element[0])});
  Node result = node(Operation::make_vector, type, {});
  for (int i = 0; i < type.count; ++i)
    result.children.push_back(real_leaf(type.element[0]));
  return result;
}

Node Generator::vector_value(const Type &type, int depth) {
  if (depth <= 0 || chance(0.2))
    return vector_leaf(type);
  const int choice = number(0, 99);
  static constexpr std::array<Operation, 4> operations{Operation::add, Operation::subtract, Operation::multiply,
                                                       Operation::multiply};
  if (choice < 50)
    return moderate(node(one_of(operations), type, {vector_value(type, depth - 1), vector_value(type, depth - 1)}),
                    type);
  if (choice < 57)
    return moderate(
        node(Operation::divide, type, {vector_value(type, depth - 1), fitted(vector_value(type, depth - 1), {0.3, 8})}),
        type);
  if (choice < 60)
    return node(Operation::negate, type, {vector_value(type, depth - 1)});
  if (choice < 66)
    return node(Operation::select, type, {condition(1), vector_value(type, depth - 1), vector_value(type, depth - 1)});
  if (choice < 74)
    return node(Operation::splat, type, {real(type.element[0], depth - 1)});
  if (choice < 86) {
    const int numbers = 2 * type.count;
    int which = 0;
    for (int i = 0; i < type.count; ++i)
      which = which * numbers + number(0, numbers - 1);
    return node(Operation::shuffle, type, {vector_value(type, depth - 1), vector_value(type, depth - 1)}, which);
  }
  const auto table = math_functions();
  for (int attempt = 0; attempt < 5; ++attempt) {
    const int id = number(0, static_cast<int>(table.size()) - 1);
    const MathFunction &function = table[static_cast<std::size_t>(id)];
    if (function.elementwise.empty())
      continue;
    Node result = node(Operation::math, type, {}, id);
    for (int i = 0; i < function.arity; ++i)
      result.children.push_back(fitted(vector_value(type, depth - 1), function.domain[static_cast<std::size_t>(i)]));
    return moderate(std::move(result), type);
  }
  return vector_leaf(type);
}

void Generator::declare_vector(Node &block) {
  const Type type = vector_type();
  Node value = storable_number(type, 3);
  const int id = new_variable({type});
  block.children.push_back(node(Operation::declare, {}, {std::move(value)}, id));
  visible_.push_back(id);
}

void Generator::assign_vector(Node &block) {
  auto place = writable(is_vector);
  if (chance(0.3)) {
    const Type type = vector_type();
    if (auto memory = pointer(pointer_to(type.element[0], type.count), false); memory && may_write(*memory))
      place = node(Operation::lanes, type, {std::move(*memory)});
  }
  if (!place)
    return declare_vector(block);
  const Type type = place->type;
  block.children.push_back(node(Operation::assign, {}, {std::move(*place), storable_number(type, 3)}));
}

/// A real number from a complex one, or from a union; vectors are read as arrays are.
std::optional<Node> Generator::real_of_parts(const Type &type, int depth) {
  if (likely(0.04, weights_.complex)) {
    const Type whole = complex_of(type);
    Node value = complex_value(whole, depth - 1);
    if (chance(0.3)) {
      value = node(Operation::add, whole, {fitted_complex(std::move(value), 2), literal(whole, 2.5)});
      return node(Operation::complex_math, type, {std::move(value)}, number(6, 7));
    }
    return node(chance(0.5) ? Operation::real_part : Operation::imaginary_part, type, {std::move(value)});
  }
  if (likely(0.08, weights_.tagged))
    if (auto found = readable(is_tagged))
      return as(type, node(Operation::read_tagged, real64(), {std::move(*found)}));
  return std::nullopt;
}

void Generator::declare_tagged(Node &block) {
  Node result = node(Operation::declare, {}, {}, new_variable({tagged()}));
  visible_.push_back(result.id);
  block.children.push_back(std::move(result));
  write_tagged(block);
}

void Generator::write_tagged(Node &block) {
  auto place = writable(is_tagged);
  if (!place)
    return declare_tagged(block);
  const int member = weights_.floats == 0 ? one_of(std::array{0, 2, 3}) : number(0, 3);
  Node result = node(Operation::write_tagged, {}, {std::move(*place)}, member);
  if (member == 2)
    result.children.push_back(fitted_integer(integer_value(1), {-integer_bound, integer_bound}));
  else
    result.children.push_back(storable_real(member == 1 ? real32() : real64(), 2));
  if (member == 3)
    result.children.push_back(storable_real(real64(), 2));
  block.children.push_back(std::move(result));
}

} // namespace assay::gen::programs
