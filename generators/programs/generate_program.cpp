#include "generators/programs/draw.hpp"
#include "generators/programs/generator.hpp"
#include "generators/programs/inputs.hpp"

#include <array>

namespace assay::gen::programs {

Type Generator::scalar_field() {
  if (likely(0.08, weights_.complex))
    return complex_type();
  if (likely(0.06, weights_.vectors))
    return vector_type();
  if (likely(0.06, weights_.tagged))
    return tagged();
  static const std::array<Type, 6> scalars{real64(), real64(), real64(), integer(), integer(8), integer(64)};
  return likely(0.15, weights_.floats) ? real32() : one_of(scalars);
}

/// All members cover the same numbers, in other shapes.
void Generator::write_union() {
  const Type real = floating();
  const int count = number(2, 4);
  Structure flat{{}, false}, result{{array_of(real, count)}, true};
  for (int i = number(1, count); i > 0; --i)
    flat.fields.push_back(real);
  program_.structures.push_back(flat);
  result.fields.push_back(structure(static_cast<int>(program_.structures.size()) - 1));
  if (chance(0.6))
    result.fields.push_back(real);
  if (chance(0.4))
    result.fields.push_back(complex_of(real));
  if (chance(0.3) && real == real64())
    result.fields.push_back(vector_of(real, 2));
  if (chance(0.3))
    result.fields.push_back(array_of(real, number(1, count)));
  program_.structures.push_back(std::move(result));
}

void Generator::write_structures() {
  for (int count = likely(0.66, weights_.structures) ? number(1, 2) : 0; count > 0; --count) {
    Structure result;
    for (int fields = number(2, 4); fields > 0; --fields)
      result.fields.push_back(chance(0.2) ? array_of(real64(), number(2, 3)) : scalar_field());
    result.fields.push_back(real64());
    if (!program_.structures.empty() && chance(0.4))
      result.fields.push_back(structure(0));
    program_.structures.push_back(std::move(result));
  }
  if (likely(0.15, weights_.unions))
    write_union();
  plain_structures_ = static_cast<int>(program_.structures.size());
  if (likely(0.35, weights_.structures)) { // One that points to arrays.
    Structure view;
    for (int fields = number(1, 2); fields > 0; --fields)
      view.fields.push_back(pointer_to(real64(), number(1, 3)));
    if (chance(0.6))
      view.fields.push_back(chance(0.5) ? integer() : real64());
    if (likely(0.2, weights_.callbacks))
      view.fields.push_back(callback());
    program_.structures.push_back(std::move(view));
  }
}

void Generator::write_globals() {
  for (int count = number(0, 2); count > 0; --count) {
    Global result;
    const int elements = number(2, 6);
    result.variable.constant = true;
    if (chance(0.4)) {
      result.variable = {array_of(integer(), elements), 0, number(1, 4), true};
      for (int i = 0; i < elements; ++i)
        result.values.push_back(number(0, result.variable.high));
    } else {
      const Type type = floating();
      result.variable.type = array_of(type, elements);
      for (int i = 0; i < elements; ++i)
        result.values.push_back(real_literal(type, {-2, 2}).value);
    }
    program_.globals.push_back(std::move(result));
  }
  if (chance(0.2)) {
    Global state;
    state.variable.type = array_of(floating(), number(1, 4));
    program_.globals.push_back(std::move(state));
  }
}

int Generator::add_parameter(Type type, bool constant) {
  Variable variable{std::move(type)};
  variable.constant = constant;
  const int id = new_variable(variable);
  ++function_.parameters;
  visible_.push_back(id);
  return id;
}

/// Of the kinds that few programs have.
std::optional<Type> Generator::special_parameter_type() {
  if (likely(0.05, weights_.complex))
    return chance(0.7) ? complex_type() : pointer_to(complex_type(), number(1, 2));
  if (likely(0.04, weights_.vectors))
    return chance(0.7) ? vector_type() : pointer_to(vector_type(), 1);
  if (likely(0.04, weights_.lists))
    return list_of(plain_structures_ && chance(0.3) ? some_structure() : floating());
  if (likely(0.03, weights_.rows))
    return pointer_to(pointer_to(real64(), 2), 2);
  if (likely(0.03, weights_.tagged))
    return chance(0.5) ? tagged() : pointer_to(tagged(), number(1, 2));
  if (likely(0.05, weights_.callbacks))
    return callback();
  if (plain_structures_ && likely(0.1, weights_.structures))
    return some_structure();
  return std::nullopt;
}

Type Generator::parameter_type() {
  if (auto special = special_parameter_type())
    return *special;
  const int shape = number(0, 18);
  if (shape < 5)
    return real64();
  if (shape < 7)
    return floating();
  if (shape < 9)
    return integer();
  if (shape < 15)
    return pointer_to(real64(), number(1, 3));
  if (shape == 15)
    return pointer_to(floating(), number(1, 2));
  if (program_.structures.empty())
    return real64();
  const Type type = structure(number(0, static_cast<int>(program_.structures.size()) - 1));
  return shape == 16 ? type : pointer_to(type, 1);
}

void Generator::write_body(int statements, double allowed_work) {
  work_ = 1, allowed_work_ = allowed_work;
  repetitions_ = 1, self_calls_ = 0;
  statements_left_ = statements * 2;
  function_.body = node(Operation::block, {}, {});
  nesting_ = 1;
  for (int i = 0; i < statements && statements_left_ > 0; ++i) {
    --statements_left_;
    work_ += 1;
    statement(function_.body);
    if (function_.partner >= 0 && i == statements / 2)
      if (auto called = recursive_call())
        keep_result(function_.body, std::move(*called));
  }
  if (function_.result.kind == Type::Kind::none)
    return;
  Node result = node(Operation::give_back, {}, {});
  if (function_.result.is_number() && !function_.result.is_integer())
    result.children.push_back(storable_number(function_.result, 3));
  else if (function_.result.is_integer())
    result.children.push_back(fitted_integer(integer_value(1), {-integer_bound, integer_bound}));
  else {
    std::vector<Node> candidates;
    for (const int id : visible_)
      if (function_.variables[static_cast<std::size_t>(id)].type == function_.result)
        candidates.push_back(use(id));
    if (candidates.empty()) {
      const int id = new_variable({function_.result});
      function_.body.children.push_back(node(Operation::declare, {}, {}, id));
      candidates.push_back(use(id));
    }
    result.children.push_back(one_of(candidates));
  }
  function_.body.children.push_back(std::move(result));
}

void Generator::begin_function() {
  function_ = {};
  visible_.clear(), counters_.clear(), fixed_.clear(), growing_.clear();
  owned_lists_.clear(), list_lengths_.clear();
  has_variable_length_ = has_computed_jump_ = false;
  callable_ = own_index_ = static_cast<int>(program_.functions.size());
}

void Generator::end_function() {
  function_work_.push_back(function_.recursive ? work_ * 16 : work_);
  program_.functions.push_back(std::move(function_));
}

/// Two functions that call each other and themselves.
void Generator::write_pair() {
  begin_function();
  function_.result = floating();
  function_.pure = chance(0.3);
  function_.recursive = true;
  function_.linkage = chance(0.5) ? Function::Linkage::internal : Function::Linkage::never_inlined;
  const int depth = add_parameter(integer(), false);
  function_.variables[static_cast<std::size_t>(depth)].low = 1;
  function_.variables[static_cast<std::size_t>(depth)].high = 3;
  add_parameter(real64(), false);
  for (int count = number(0, 2); count > 0; --count) {
    const Type type = parameter_type();
    const bool points = type.kind == Type::Kind::pointer || type.kind == Type::Kind::list;
    add_parameter(type, points && (function_.pure || chance(0.3)));
  }
  const Function signature = function_;
  const auto visible = visible_;
  const int first = own_index_;
  program_.functions.insert(program_.functions.end(), 2, signature);
  function_work_.insert(function_work_.end(), 2, 0);
  double work = 0;
  for (const int index : {first, first + 1}) {
    begin_function();
    function_ = signature;
    visible_ = visible;
    callable_ = first, own_index_ = index;
    function_.partner = 2 * first + 1 - index;
    program_.functions[static_cast<std::size_t>(first)].partner = first + 1;
    program_.functions[static_cast<std::size_t>(first) + 1].partner = first;
    write_body(number(2, 5), 200);
    work += work_;
    program_.functions[static_cast<std::size_t>(index)] = std::move(function_);
  }
  for (const int index : {first, first + 1})
    function_work_[static_cast<std::size_t>(index)] = work * 16;
}

/// One that may be called through a pointer.
void Generator::write_callback() {
  begin_function();
  function_.result = real64();
  function_.pure = true;
  function_.linkage = Function::Linkage::internal;
  add_parameter(real64(), false);
  write_body(number(1, 3), 60);
  end_function();
}

void Generator::write_helper() {
  begin_function();
  static const std::array<Type, 4> results{real64(), real64(), real64(), integer()};
  function_.result = likely(0.2, weights_.floats)     ? real32()
                     : likely(0.06, weights_.complex) ? complex_type()
                     : likely(0.05, weights_.vectors) ? vector_type()
                                                      : one_of(results);
  function_.pure = chance(0.3);
  function_.recursive = chance(0.2) && function_.result.is_real();
  if (!function_.recursive && chance(0.3))
    function_.result = plain_structures_ && likely(0.4, weights_.structures) ? some_structure() : Type{};
  if (function_.result.kind == Type::Kind::none)
    function_.pure = false;
  static constexpr std::array<Function::Linkage, 3> linkages{
      Function::Linkage::internal, Function::Linkage::never_inlined, Function::Linkage::external};
  function_.linkage = one_of(linkages);
  if (function_.recursive) {
    const int depth = add_parameter(integer(), false);
    function_.variables[static_cast<std::size_t>(depth)].low = 1;
    function_.variables[static_cast<std::size_t>(depth)].high = 3;
  }
  for (int count = number(1, 3); count > 0; --count) {
    const Type type = parameter_type();
    const bool points = type.kind == Type::Kind::pointer || type.kind == Type::Kind::list;
    add_parameter(type, points && (function_.pure || chance(0.3)));
  }
  write_body(number(2, 6), 300);
  end_function();
}

void Generator::write_entry() {
  begin_function();
  function_.linkage = chance(0.5) ? Function::Linkage::external : Function::Linkage::internal;
  function_.result = chance(0.8) ? real64() : likely(0.5, weights_.floats) ? real32() : Type{};
  add_parameter(pointer_to(real64(), number(2, 5)), false);
  add_parameter(real64(), false);
  if (likely(0.25, weights_.floats))
    add_parameter(pointer_to(real32(), number(1, 3)), false);
  if (chance(0.3) && plain_structures_)
    if (const Type type = some_structure(); !holds(type, Type::Kind::tagged))
      add_parameter(pointer_to(type, 1), false);
  if (likely(0.08, weights_.complex))
    add_parameter(pointer_to(complex_type(), number(1, 2)), false);
  if (likely(0.05, weights_.vectors))
    add_parameter(pointer_to(vector_type(), 1), false);
  if (likely(0.2, weights_.floats))
    add_parameter(real32(), false);
  const int count = add_parameter(integer(), false);
  function_.variables[static_cast<std::size_t>(count)].low = 1;
  function_.variables[static_cast<std::size_t>(count)].high = 6;
  write_body(number(4, 14), 20000);
  set_globals_first();
  program_.functions.push_back(std::move(function_));
}

void Generator::set_globals_first() {
  std::vector<Node> first;
  for (std::size_t id = 0; id < program_.globals.size(); ++id) {
    const Type &type = program_.globals[id].variable.type;
    for (int i = 0; !program_.globals[id].variable.constant && i < type.count; ++i) {
      const Type &element = type.element[0];
      Node place = node(Operation::element, element, {use_global(static_cast<int>(id)), literal(integer(), i)});
      Node value = real_literal(element, {-1, 1});
      if (chance(0.5))
        value = as(element, node(Operation::element, real64(), {use(0), literal(integer(), 0)}));
      first.push_back(node(Operation::assign, {}, {std::move(place), std::move(value)}));
    }
  }
  function_.body.children.insert(function_.body.children.begin(), first.begin(), first.end());
}

void Generator::write_inputs() {
  for (const Leaf &leaf : leaves_of_entry(program_)) {
    program_.inputs.push_back(static_cast<double>(number(-120, 120)) / 64);
    if (leaf.is_output)
      program_.output_weights.push_back(static_cast<double>(number(-96, 96)) / 64);
  }
  static constexpr std::array<Mode, 8> modes{Mode::none,           Mode::none,  Mode::none,  Mode::vector_forward,
                                             Mode::vector_reverse, Mode::split, Mode::split, Mode::runtime_activity};
  static constexpr std::array second{Mode::forward_over_reverse, Mode::reverse_over_forward,
                                     Mode::reverse_over_reverse};
  program_.mode = one_of(modes);
  if (likely(0.15, weights_.second))
    program_.mode = one_of(second);
}

Program Generator::write() {
  write_structures();
  write_globals();
  if (likely(0.4, weights_.callbacks))
    write_callback();
  if (likely(0.2, weights_.callbacks))
    write_callback();
  for (int count = number(0, 3); count > 0; --count)
    write_helper();
  if (likely(0.1, weights_.mutual))
    write_pair();
  write_entry();
  write_inputs();
  return std::move(program_);
}

Program draw_program(std::uint64_t seed, std::uint32_t index, const Weights &weights) {
  return Generator(Stream({.seed = seed, .suite = "programs", .name = "program", .purpose = "text", .index = index}),
                   weights)
      .write();
}

} // namespace assay::gen::programs
