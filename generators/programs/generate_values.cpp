#include "generators/programs/generator.hpp"

#include "generators/programs/type_predicates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::gen::programs {

namespace {

constexpr Interval storable{-real_bound, real_bound};
constexpr Interval workable{-40, 40};

bool is_callback(const Type &type) {
  return type == callback();
}
bool is_passed_whole(const Type &type) {
  return type.kind == Type::Kind::structure || type.kind == Type::Kind::tagged;
}

/// What both of double and float hold exactly.
double rounded(double value) {
  return std::nearbyint(value * 64) / 64;
}

} // namespace

Node node(Operation operation, Type type, std::vector<Node> children, int id) {
  return {operation, std::move(type), id, 0, Form::plain, std::move(children)};
}

Node literal(const Type &type, double value) {
  Node result = node(Operation::literal, type, {});
  result.value = value;
  return result;
}

Node Generator::real_literal(const Type &type, Interval range) {
  const double drawn = range.low + (range.high - range.low) * stream_.uniform();
  double value = rounded(drawn);
  if (chance(0.4))
    value = std::nearbyint(drawn * 10) / 10;
  return literal(type, value < range.low || value > range.high ? drawn : value);
}

Node Generator::as(const Type &type, Node value) {
  if (value.type == type)
    return value;
  return node(Operation::convert, type, {std::move(value)});
}

/// Keeps what a value may become in moderate bounds.
Node Generator::moderate(Node value, const Type &type) {
  const auto range = range_of(value, context());
  if (!range)
    return literal(type, 0.5);
  return range->within(workable) ? value : fitted(std::move(value), storable);
}

/// Of a vector, the same in all elements.
Node Generator::literal_within(const Type &type, Interval range) {
  Node result = real_literal(type.is_vector() ? type.element[0] : type, range);
  result.type = type;
  return result;
}

/// `value` mapped into `target`, smoothly, unless it lies there already.
Node Generator::fitted(Node value, Interval target) {
  const auto range = range_of(value, context());
  const Type type = value.type;
  if (!range)
    return literal_within(type, target);
  if (range->within(target))
    return value;
  const double middle = rounded((target.low + std::min(target.high, target.low + 8)) / 2);
  const double reach = std::min(middle - target.low, target.high - middle);
  const double largest = std::max(std::fabs(range->low), std::fabs(range->high));
  Node bent;
  if (chance(0.4)) {
    const double factor = std::floor(std::min(reach / largest, 1.0) * 1000) / 1000;
    bent = node(Operation::multiply, type, {literal(type, factor), std::move(value)});
  } else {
    static constexpr std::array<std::string_view, 4> bounded{"sin", "tanh", "cos", "erf"};
    const std::string_view name = one_of(bounded);
    bent = node(Operation::math, type, {std::move(value)}, math_id(type.is_vector() ? "tanh" : name));
    const double factor = std::floor(reach * 16) / 16;
    if (factor < 1 || chance(0.3))
      bent = node(Operation::multiply, type, {literal(type, factor > 0 ? factor : reach), std::move(bent)});
  }
  if (middle != 0)
    bent = node(Operation::add, type, {std::move(bent), literal(type, middle)});
  const auto result = range_of(bent, context());
  return result && result->within(target) ? bent : literal_within(type, target);
}

Node Generator::fitted_integer(Node value, Interval target) {
  const auto range = range_of(value, context());
  if (!range)
    return literal(integer(), static_cast<double>(number(static_cast<int>(target.low), static_cast<int>(target.high))));
  if (range->within(target))
    return value;
  const int divisor = std::max(1, std::min(static_cast<int>(target.high) + 1, number(2, 20)));
  if (target.low > 0) {
    const int count = static_cast<int>(target.high - target.low) + 1;
    return node(Operation::add, integer(),
                {node(Operation::wrap, integer(), {std::move(value)}, count), literal(integer(), target.low)});
  }
  if (target.low <= -target.high && chance(0.5))
    return node(Operation::remainder, integer(), {std::move(value)}, divisor);
  return node(Operation::wrap, integer(), {std::move(value)}, divisor);
}

Node Generator::index(int count) {
  if (count == 1)
    return literal(integer(), 0);
  const Interval inside{0, count - 1.0};
  std::vector<int> fitting;
  for (const int id : visible_)
    if (function_.variables[static_cast<std::size_t>(id)].type.is_integer() &&
        range_of(use(id), context())->within(inside))
      fitting.push_back(id);
  if (!fitting.empty() && chance(0.6))
    return use(one_of(fitting));
  if (index_nesting_ > 0 || chance(0.4))
    return literal(integer(), number(0, count - 1));
  ++index_nesting_;
  Node value = integer_value(1);
  --index_nesting_;
  const auto range = range_of(value, context());
  if (range && range->within(inside))
    return value;
  return node(Operation::wrap, integer(), {std::move(value)}, count);
}

Node Generator::use(int id) const {
  return node(Operation::variable, function_.variables[static_cast<std::size_t>(id)].type, {}, id);
}

Node Generator::use_global(int id) const {
  return node(Operation::global, program_.globals[static_cast<std::size_t>(id)].variable.type, {}, id);
}

bool Generator::is_counter(int id) const {
  return std::find(counters_.begin(), counters_.end(), id) != counters_.end() || (function_.recursive && id == 0);
}

/// From a variable down to a place that fits, by elements and fields.
std::optional<Node> Generator::descend(Node base, bool (*fits)(const Type &)) {
  for (int steps = 0; steps < 5; ++steps) {
    if (fits(base.type))
      return base;
    const Type type = base.type;
    if (type.kind == Type::Kind::pointer && type.element[0].kind == Type::Kind::structure && type.count == 1 &&
        !fits(type.element[0])) {
      const auto &fields = program_.structures[static_cast<std::size_t>(type.element[0].id)].fields;
      const int field = number(0, static_cast<int>(fields.size()) - 1);
      base = node(Operation::field, fields[static_cast<std::size_t>(field)], {std::move(base)}, field);
    } else if (type.is_complex()) {
      base = node(chance(0.5) ? Operation::real_part : Operation::imaginary_part, type.element[0], {std::move(base)});
    } else if (type.kind == Type::Kind::list) {
      base = node(Operation::item, type.element[0], {std::move(base)}, chance(0.3) ? 1 : 0);
    } else if (type.is_indexed() || type.is_vector()) {
      base = node(Operation::element, type.element[0], {std::move(base), index(type.count)});
    } else if (type.kind == Type::Kind::structure) {
      const auto &fields = program_.structures[static_cast<std::size_t>(type.id)].fields;
      const int field = number(0, static_cast<int>(fields.size()) - 1);
      base = node(Operation::field, fields[static_cast<std::size_t>(field)], {std::move(base)}, field);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Node> Generator::readable(bool (*fits)(const Type &)) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    const int globals = static_cast<int>(program_.globals.size());
    const int variables = static_cast<int>(visible_.size());
    if (globals + variables == 0)
      return std::nullopt;
    // Later variables are nearer.
    const int chosen = std::max(number(-globals, variables - 1), number(-globals, variables - 1));
    const Node base = chosen < 0 ? use_global(-1 - chosen) : use(visible_[static_cast<std::size_t>(chosen)]);
    if (auto found = descend(base, fits))
      return found;
  }
  return std::nullopt;
}

bool Generator::may_write(const Node &place) const {
  const Node *root = &place;
  while (!root->children.empty())
    root = &root->children.front();
  const Variable &variable = *root_of(*root, context());
  if (variable.constant || (root->operation == Operation::variable && is_counter(root->id)))
    return false;
  const bool points =
      variable.type.kind == Type::Kind::pointer || variable.type.kind == Type::Kind::list || !is_plain(variable.type);
  const bool caller_sees = root->operation == Operation::global || (root->id < function_.parameters && points);
  return !function_.pure || !caller_sees;
}

std::optional<Node> Generator::writable(bool (*fits)(const Type &)) {
  for (int attempt = 0; attempt < 8; ++attempt)
    if (auto found = readable(fits); found && may_write(*found))
      return found;
  return std::nullopt;
}

Node Generator::real_leaf(const Type &type) {
  if (chance(0.85))
    if (auto found = readable(is_real))
      return as(type, std::move(*found));
  if (chance(0.25))
    return as(type, node(Operation::multiply, real64(),
                         {as(real64(), integer_leaf()), literal(real64(), number(1, 3) / 32.0)}));
  return real_literal(type, {-2, 2});
}

Node Generator::call_of_math(const Type &type, int depth) {
  // The first ones of the table are the common ones.
  const auto table = math_functions();
  const int id = chance(0.6) ? number(0, 11) : number(0, static_cast<int>(table.size()) - 1);
  const MathFunction &function = table[static_cast<std::size_t>(id)];
  Node result = node(Operation::math, type, {}, id);
  for (int i = 0; i < function.arity; ++i)
    result.children.push_back(fitted(real(type, depth - 1), function.domain[static_cast<std::size_t>(i)]));
  return result;
}

Node Generator::real_operation(const Type &type, int depth) {
  if (auto part = real_of_parts(type, depth))
    return std::move(*part);
  const int choice = number(0, 99);
  if (choice < 24)
    return node(Operation::add, type, {real(type, depth - 1), real(type, depth - 1)});
  if (choice < 36)
    return node(Operation::subtract, type, {real(type, depth - 1), real(type, depth - 1)});
  if (choice < 60)
    return node(Operation::multiply, type, {real(type, depth - 1), real(type, depth - 1)});
  if (choice < 68)
    return node(Operation::divide, type, {real(type, depth - 1), fitted(real(type, depth - 1), {0.3, 8})});
  if (choice < 71)
    return node(Operation::negate, type, {real(type, depth - 1)});
  if (choice < 76)
    return node(Operation::select, type, {condition(1), real(type, depth - 1), real(type, depth - 1)});
  if (choice < 80)
    return as(type, real(type == real64() ? floating() : real64(), depth - 1));
  if (choice < 86)
    if (auto found = pure_call(type, depth - 1))
      return std::move(*found);
  return call_of_math(type, depth);
}

Node Generator::real(const Type &type, int depth) {
  if (depth <= 0 || chance(0.2))
    return real_leaf(type);
  return moderate(real_operation(type, depth), type);
}

Node Generator::storable_real(const Type &type, int depth) {
  return fitted(real(type, depth), storable);
}

Node Generator::integer_leaf() {
  if (chance(0.75))
    if (auto found = readable(is_integer))
      return as(integer(), std::move(*found));
  return literal(integer(), number(-3, 12));
}

Node Generator::integer_value(int depth) {
  if (depth <= 0 || chance(0.3))
    return integer_leaf();
  const int choice = number(0, 11);
  Node left = integer_value(depth - 1);
  if (choice == 0)
    return node(Operation::remainder, integer(), {std::move(left)}, number(2, 9));
  if (choice == 1)
    return node(Operation::shift_right, integer(), {std::move(left)}, number(1, 2));
  if (choice == 2)
    return as(integer(), node(Operation::multiply, real64(), {storable_real(real64(), 1), literal(real64(), 3)}));
  static constexpr std::array<Operation, 6> operations{Operation::add,     Operation::subtract, Operation::multiply,
                                                       Operation::bit_and, Operation::bit_xor,  Operation::add};
  Node result = node(one_of(operations), integer(), {left, integer_value(depth - 1)});
  const auto range = range_of(result, context());
  return range && range->within({-1e5, 1e5}) ? result : left;
}

Node Generator::condition(int depth) {
  const int choice = number(0, 9);
  if (depth > 0 && choice == 0)
    return node(chance(0.5) ? Operation::logical_and : Operation::logical_or, integer(),
                {condition(depth - 1), condition(depth - 1)});
  const Operation comparison = chance(0.5) ? Operation::less : Operation::greater_equal;
  if (choice < 6) {
    Node left = integer_value(1);
    return node(choice < 2 ? Operation::equal : comparison, integer(),
                {std::move(left), literal(integer(), number(0, 3))});
  }
  return node(comparison, integer(), {real(real64(), 1), real_literal(real64(), {-1, 1})});
}

std::optional<Node> Generator::pure_call(const Type &type, int depth) {
  if (chance(0.3))
    if (auto found = readable(is_callback))
      return as(type, node(Operation::call_callback, real64(), {std::move(*found), storable_real(real64(), depth)}));
  for (const int id : visible_)
    if (function_.variables[static_cast<std::size_t>(id)].type == callback() && chance(0.3))
      return as(type, node(Operation::call_callback, real64(), {use(id), storable_real(real64(), depth)}));
    else if (const Type table = function_.variables[static_cast<std::size_t>(id)].type;
             table.kind == Type::Kind::array && table.element[0] == callback() && chance(0.4))
      return as(type, node(Operation::call_callback, real64(),
                           {node(Operation::element, callback(), {use(id), index(table.count)}),
                            storable_real(real64(), depth)}));
  if (callable_ == 0)
    return std::nullopt;
  const int chosen = number(0, callable_ - 1);
  const Function &callee = program_.functions[static_cast<std::size_t>(chosen)];
  if (!callee.pure || !callee.result.is_real())
    return std::nullopt;
  auto result = call(chosen, depth);
  return result ? std::optional(as(type, std::move(*result))) : std::nullopt;
}

std::optional<Node> Generator::call(int function, int depth) {
  const double cost = repetitions_ * function_work_[static_cast<std::size_t>(function)];
  if (work_ + cost > allowed_work_)
    return std::nullopt;
  const Function &callee = program_.functions[static_cast<std::size_t>(function)];
  Node result = node(Operation::call, callee.result, {}, function);
  for (int i = 0; i < callee.parameters; ++i) {
    auto passed = argument(callee.variables[static_cast<std::size_t>(i)], depth);
    if (!passed)
      return std::nullopt;
    result.children.push_back(std::move(*passed));
  }
  work_ += cost;
  return result;
}

std::optional<Node> Generator::argument(const Variable &parameter, int depth) {
  switch (parameter.type.kind) {
  case Type::Kind::real64:
  case Type::Kind::real32:
    return storable_real(parameter.type, depth);
  case Type::Kind::integer:
    return fitted_integer(integer_value(1), {double(parameter.low), double(parameter.high)});
  case Type::Kind::complex:
  case Type::Kind::vector:
    return storable_number(parameter.type, depth);
  case Type::Kind::pointer:
    return pointer(parameter.type, parameter.constant);
  case Type::Kind::list: {
    const auto id = some_list(false);
    if (!id || use(*id).type.element != parameter.type.element)
      return std::nullopt;
    return parameter.constant || may_write(use(*id)) ? std::optional(use(*id)) : std::nullopt;
  }
  case Type::Kind::callback: {
    for (int i = 0; i < callable_; ++i) {
      const Function &callee = program_.functions[static_cast<std::size_t>(i)];
      if (callee.parameters == 1 && callee.variables[0].type == real64() && callee.result == real64() && callee.pure &&
          !callee.recursive && chance(0.6))
        return node(Operation::function_name, callback(), {}, i);
    }
    return std::nullopt;
  }
  case Type::Kind::structure:
  case Type::Kind::tagged:
    for (int attempt = 0; attempt < 4; ++attempt)
      if (auto found = readable(is_passed_whole); found && found->type == parameter.type && is_plain(found->type))
        return found;
    for (const int id : visible_)
      if (function_.variables[static_cast<std::size_t>(id)].type == parameter.type)
        return use(id);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Something that points to at least as many elements.
std::optional<Node> Generator::pointer(const Type &type, bool constant) {
  if (visible_.empty())
    return std::nullopt;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const int globals = static_cast<int>(program_.globals.size());
    const int chosen = number(constant ? -globals : 0, static_cast<int>(visible_.size()) - 1);
    Node base = chosen < 0 ? use_global(-1 - chosen) : use(visible_[static_cast<std::size_t>(chosen)]);
    if (chosen >= 0 && std::find(growing_.begin(), growing_.end(), base.id) != growing_.end())
      continue;
    const Variable &variable = *root_of(base, context());
    if ((variable.constant && !constant) || variable.low != -integer_bound || variable.high != integer_bound)
      continue;
    if (chosen >= 0 && is_counter(base.id))
      continue;
    if (base.type.kind == Type::Kind::structure && base.type != type.element[0]) {
      const auto &fields = program_.structures[static_cast<std::size_t>(base.type.id)].fields;
      const int field = number(0, static_cast<int>(fields.size()) - 1);
      base = node(Operation::field, fields[static_cast<std::size_t>(field)], {std::move(base)}, field);
    } else if (base.type.is_indexed() && base.type.element[0] != type.element[0] && base.type.element[0].is_indexed()) {
      base = node(Operation::element, base.type.element[0], {base, index(base.type.count)}); // A row.
    }
    if (type.count == 1 && base.type == type.element[0])
      return node(Operation::address_of, type, {std::move(base)});
    if (!base.type.is_indexed() || base.type.element != type.element || base.type.count < type.count)
      continue;
    if (chance(0.5) || base.type.count == type.count)
      return base;
    const int room = base.type.count - type.count + 1;
    return node(Operation::address, type, {std::move(base), index(room)});
  }
  return std::nullopt;
}

} // namespace assay::gen::programs
