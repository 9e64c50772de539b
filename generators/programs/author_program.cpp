#include "generators/programs/author.hpp"
#include "generators/programs/draw.hpp"
#include "generators/programs/inputs.hpp"

#include <array>

namespace assay::gen::programs {

void Author::write_structures() {
  for (int count = number(0, 2); count > 0; --count) {
    Structure result;
    for (int fields = number(2, 4); fields > 0; --fields) {
      static const std::array<Type, 7> scalars{real64(),  real64(),   real64(),   real32(),
                                               integer(), integer(8), integer(64)};
      if (chance(0.2))
        result.fields.push_back(array_of(real64(), number(2, 3)));
      else
        result.fields.push_back(one_of(scalars));
    }
    result.fields.push_back(real64());
    if (!program_.structures.empty() && chance(0.4))
      result.fields.push_back(structure(0));
    program_.structures.push_back(std::move(result));
  }
  plain_structures_ = static_cast<int>(program_.structures.size());
  if (chance(0.35)) { // One that points to arrays.
    Structure view;
    for (int fields = number(1, 2); fields > 0; --fields)
      view.fields.push_back(pointer_to(real64(), number(1, 3)));
    if (chance(0.6))
      view.fields.push_back(chance(0.5) ? integer() : real64());
    program_.structures.push_back(std::move(view));
  }
}

void Author::write_globals() {
  for (int count = number(0, 2); count > 0; --count) {
    Global result;
    const int elements = number(2, 6);
    result.variable.constant = true;
    if (chance(0.4)) {
      result.variable = {array_of(integer(), elements), 0, number(1, 4), true};
      for (int i = 0; i < elements; ++i)
        result.values.push_back(number(0, result.variable.high));
    } else {
      const Type type = chance(0.8) ? real64() : real32();
      result.variable.type = array_of(type, elements);
      for (int i = 0; i < elements; ++i)
        result.values.push_back(real_literal(type, {-2, 2}).value);
    }
    program_.globals.push_back(std::move(result));
  }
  if (chance(0.2)) {
    Global state;
    state.variable.type = array_of(chance(0.8) ? real64() : real32(), number(1, 4));
    program_.globals.push_back(std::move(state));
  }
}

int Author::add_parameter(Type type, bool constant) {
  Variable variable{std::move(type)};
  variable.constant = constant;
  const int id = new_variable(variable);
  ++function_.parameters;
  visible_.push_back(id);
  return id;
}

Type Author::parameter_type() {
  const int shape = number(0, 19);
  if (shape < 5)
    return real64();
  if (shape < 7)
    return real32();
  if (shape < 9)
    return integer();
  if (shape < 15)
    return pointer_to(real64(), number(1, 3));
  if (shape == 15)
    return pointer_to(real32(), number(1, 2));
  if (shape == 16)
    return callback();
  if (program_.structures.empty())
    return real64();
  const Type type = structure(number(0, static_cast<int>(program_.structures.size()) - 1));
  return shape == 17 ? type : pointer_to(type, 1);
}

void Author::write_body(int statements, double allowed_work) {
  work_ = 1, allowed_work_ = allowed_work;
  repetitions_ = 1, self_calls_ = 0;
  statements_left_ = statements * 2;
  function_.body = node(Operation::block, {}, {});
  nesting_ = 1;
  for (int i = 0; i < statements && statements_left_ > 0; ++i) {
    --statements_left_;
    work_ += 1;
    statement(function_.body);
  }
  if (function_.result.kind == Type::Kind::none)
    return;
  Node result = node(Operation::give_back, {}, {});
  if (function_.result.is_real())
    result.children.push_back(storable_real(function_.result, 3));
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

/// One that may be called through a pointer.
void Author::write_callback() {
  function_ = {};
  visible_.clear(), counters_.clear(), fixed_.clear(), growing_.clear();
  function_.result = real64();
  function_.pure = true;
  function_.linkage = Function::Linkage::internal;
  add_parameter(real64(), false);
  write_body(number(1, 3), 60);
  function_work_.push_back(work_);
  program_.functions.push_back(std::move(function_));
}

void Author::write_helper() {
  function_ = {};
  visible_.clear(), counters_.clear(), fixed_.clear(), growing_.clear();
  static const std::array<Type, 5> results{real64(), real64(), real64(), real32(), integer()};
  function_.result = one_of(results);
  function_.pure = chance(0.3);
  function_.recursive = chance(0.2) && !function_.result.is_integer();
  if (!function_.recursive && chance(0.3))
    function_.result = chance(0.6) || !plain_structures_ ? Type{} : structure(0);
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
    add_parameter(type, type.kind == Type::Kind::pointer && (function_.pure || chance(0.3)));
  }
  write_body(number(2, 6), 300);
  function_work_.push_back(function_.recursive ? work_ * 16 : work_);
  program_.functions.push_back(std::move(function_));
}

void Author::write_entry() {
  function_ = {};
  visible_.clear(), counters_.clear(), fixed_.clear(), growing_.clear();
  function_.linkage = chance(0.5) ? Function::Linkage::external : Function::Linkage::internal;
  function_.result = chance(0.8) ? real64() : chance(0.5) ? real32() : Type{};
  add_parameter(pointer_to(real64(), number(2, 5)), false);
  add_parameter(real64(), false);
  if (chance(0.25))
    add_parameter(pointer_to(real32(), number(1, 3)), false);
  if (chance(0.3) && plain_structures_)
    add_parameter(pointer_to(structure(0), 1), false);
  if (chance(0.2))
    add_parameter(real32(), false);
  const int count = add_parameter(integer(), false);
  function_.variables[static_cast<std::size_t>(count)].low = 1;
  function_.variables[static_cast<std::size_t>(count)].high = 6;
  write_body(number(4, 14), 20000);
  set_globals_first();
  program_.functions.push_back(std::move(function_));
}

void Author::set_globals_first() {
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

void Author::write_inputs() {
  for (const Leaf &leaf : leaves_of_entry(program_)) {
    program_.inputs.push_back(static_cast<double>(number(-120, 120)) / 64);
    if (leaf.is_output)
      program_.output_weights.push_back(static_cast<double>(number(-96, 96)) / 64);
  }
  static constexpr std::array<Mode, 8> modes{Mode::none,           Mode::none,  Mode::none,  Mode::vector_forward,
                                             Mode::vector_reverse, Mode::split, Mode::split, Mode::runtime_activity};
  program_.mode = one_of(modes);
}

Program Author::write() {
  write_structures();
  write_globals();
  if (chance(0.4))
    write_callback();
  if (chance(0.2))
    write_callback();
  for (int count = number(0, 3); count > 0; --count)
    write_helper();
  write_entry();
  write_inputs();
  return std::move(program_);
}

Program draw_program(std::uint64_t seed, std::uint32_t index) {
  return Author(Stream({.seed = seed, .suite = "programs", .name = "program", .purpose = "text", .index = index}))
      .write();
}

} // namespace assay::gen::programs
