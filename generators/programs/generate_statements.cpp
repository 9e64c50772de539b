#include "generators/programs/generator.hpp"

#include "generators/programs/type_predicates.hpp"

#include <algorithm>
#include <array>

namespace assay::gen::programs {

namespace {

constexpr int deepest_nesting = 4;

} // namespace

int Generator::new_variable(const Variable &variable) {
  function_.variables.push_back(variable);
  return static_cast<int>(function_.variables.size()) - 1;
}

/// A block with about as many statements; what it declares goes out of scope with it.
Node Generator::block(int statements) {
  Node result = node(Operation::block, {}, {});
  const auto visible = visible_;
  const auto counters = counters_;
  ++nesting_;
  for (int i = 0; i < statements && statements_left_ > 0; ++i) {
    --statements_left_;
    work_ += repetitions_;
    statement(result);
  }
  --nesting_;
  visible_ = visible;
  counters_ = counters;
  return result;
}

void Generator::statement(Node &block) {
  struct Choice {
    int weight;
    void (Generator::*write)(Node &);
    bool nests;
    double Weights::*kind = nullptr;
  };
  static constexpr std::array<Choice, 37> choices{{
      {2, &Generator::labelled_blocks, true, &Weights::jumps},
      {2, &Generator::jump, false, &Weights::jumps},
      {1, &Generator::declare_complex, false, &Weights::complex},
      {1, &Generator::assign_complex, false, &Weights::complex},
      {1, &Generator::declare_vector, false, &Weights::vectors},
      {1, &Generator::assign_vector, false, &Weights::vectors},
      {1, &Generator::declare_tagged, false, &Weights::tagged},
      {1, &Generator::write_tagged, false, &Weights::tagged},
      {1, &Generator::declare_list, false, &Weights::lists},
      {1, &Generator::change_list, false, &Weights::lists},
      {1, &Generator::walk_list, true, &Weights::lists},
      {1, &Generator::declare_rows, false, &Weights::rows},
      {1, &Generator::declare_pointers, false, &Weights::rows},
      {1, &Generator::swap_rows, false, &Weights::rows},
      {3, &Generator::walk_loop, true},
      {2, &Generator::grow, false, &Weights::heap},
      {26, &Generator::assign_real, false},
      {8, &Generator::declare_number, false},
      {4, &Generator::declare_array, false},
      {3, &Generator::declare_structure, false, &Weights::structures},
      {4, &Generator::declare_pointer, false},
      {3, &Generator::declare_heap, false, &Weights::heap},
      {2, &Generator::declare_callback, false, &Weights::callbacks},
      {6, &Generator::assign_integer, false},
      {3, &Generator::assign_structure, false, &Weights::structures},
      {2, &Generator::assign_pointer, false},
      {7, &Generator::branch, true},
      {12, &Generator::count_loop, true},
      {4, &Generator::fuel_loop, true},
      {3, &Generator::choose, true},
      {1, &Generator::enter_loop, true},
      {4, &Generator::leave, false},
      {7, &Generator::call_for_effect, false},
      {3, &Generator::copy, false},
      {2, &Generator::clear, false},
      {2, &Generator::copy_bits, false},
      {1, &Generator::branch_to_partners, true, &Weights::partners},
  }};
  // In sixteenths, so that the sum of weights is exact.
  const auto weight_of = [&](const Choice &choice) {
    return static_cast<int>(choice.weight * 16 * (choice.kind ? weights_.*choice.kind : 1));
  };
  int total = 0;
  for (const Choice &choice : choices)
    total += weight_of(choice);
  const std::size_t before = block.children.size();
  for (int attempt = 0; attempt < 4 && block.children.size() == before; ++attempt) {
    int drawn = number(0, total - 1);
    const Choice *chosen = choices.data();
    while (drawn >= weight_of(*chosen))
      drawn -= weight_of(*chosen++);
    if (!chosen->nests || nesting_ < deepest_nesting)
      (this->*chosen->write)(block);
  }
}

void Generator::declare_number(Node &block) {
  const Type type = chance(0.65)                   ? real64()
                    : likely(0.4, weights_.floats) ? real32()
                                                   : integer(chance(0.7) ? 32 : one_of(std::array{8, 16, 64}));
  Node value =
      type.is_real() ? storable_real(type, 3) : fitted_integer(integer_value(2), {-integer_bound, integer_bound});
  const int id = new_variable({type});
  block.children.push_back(node(Operation::declare, {}, {std::move(value)}, id));
  visible_.push_back(id);
}

void Generator::assign_real(Node &block) {
  auto place = writable(is_real);
  if (!place)
    return declare_number(block);
  const Type type = place->type;
  static constexpr std::array<Form, 3> compounds{Form::plus, Form::minus, Form::times};
  Node assignment = node(Operation::assign, {}, {*place, {}});
  if (chance(0.15)) { // Exponential growth in a loop would leave the bounds, so the sum is bent instead.
    const Operation operation = chance(0.5) ? Operation::add : Operation::multiply;
    assignment.children[1] = fitted(node(operation, type, {*place, real(type, 3)}), {-real_bound, real_bound});
  } else if (chance(0.2)) {
    assignment.form = one_of(compounds);
    assignment.children[1] = assignment.form == Form::times ? fitted(real(type, 2), {-1, 1}) : real(type, 2);
    const Operation operation = assignment.form == Form::times ? Operation::multiply : Operation::add;
    const auto range = range_of(node(operation, type, {*place, assignment.children[1]}), context());
    if (!range || !range->within({-real_bound, real_bound}))
      assignment.form = Form::plain;
  } else if (chance(0.15)) {
    if (auto called = pure_call(type, 2))
      assignment.children[1] = fitted(std::move(*called), {-real_bound, real_bound});
  }
  if (assignment.children[1].type.kind == Type::Kind::none)
    assignment.children[1] = storable_real(type, 4);
  if (assignment.form == Form::plain)
    assignment.children[1] = fitted(std::move(assignment.children[1]), {-real_bound, real_bound});
  block.children.push_back(std::move(assignment));
}

void Generator::assign_integer(Node &block) {
  auto place = writable(is_integer);
  if (!place)
    return;
  Node value = fitted_integer(integer_value(2), range_of_place(*place, context()));
  block.children.push_back(node(Operation::assign, {}, {std::move(*place), std::move(value)}));
}

void Generator::branch(Node &block) {
  Node result = node(Operation::branch, {}, {condition(2), this->block(number(1, 3))});
  if (chance(0.5))
    result.children.push_back(this->block(number(1, 3)));
  block.children.push_back(std::move(result));
}

/// Each branch has a function whose derivative is the function that the other one has of the same number.
void Generator::branch_to_partners(Node &block) {
  const auto place = writable([](const Type &type) { return type == real64(); });
  if (!place)
    return declare_number(block);
  static constexpr std::array<std::array<std::string_view, 2>, 2> pairs{{{"sin", "cos"}, {"sinh", "cosh"}}};
  const auto &names = one_of(pairs);
  const auto of = [](std::string_view name, Node argument) {
    return node(Operation::math, real64(), {std::move(argument)}, math_id(name));
  };
  const int id = new_variable({real64()}); // What takes long to compute is kept for the reverse sweep.
  block.children.push_back(node(Operation::declare, {}, {of("exp", fitted(real(real64(), 2), {-3, 1}))}, id));
  visible_.push_back(id);
  Node result = node(Operation::branch, {}, {condition(2)});
  for (const std::string_view name : names) {
    Node value = node(Operation::multiply, real64(), {*place, of(name, use(id))});
    if (name == names.back()) // Two products would be one of what the branches give.
      value = node(Operation::subtract, real64(), {std::move(value), real_leaf(real64())});
    Node assignment = node(Operation::assign, {}, {*place, fitted(std::move(value), {-real_bound, real_bound})});
    result.children.push_back(node(Operation::block, {}, {std::move(assignment)}));
  }
  block.children.push_back(std::move(result));
}

Node Generator::looping_block(int repetitions) {
  const double outer = repetitions_;
  const bool outer_choice = in_choice_;
  repetitions_ *= std::max(1, repetitions);
  in_choice_ = false;
  ++loops_;
  Node result = block(number(1, 4));
  --loops_;
  repetitions_ = outer;
  in_choice_ = outer_choice;
  return result;
}

void Generator::count_loop(Node &block) {
  const int count = chance(0.03) ? number(100, 1000) : chance(0.1) ? number(10, 40) : number(2, 6);
  if (work_ + repetitions_ * count > allowed_work_)
    return;
  Node loop = node(Operation::count_loop, {}, {});
  loop.value = 1;
  Node from = literal(integer(), 0), to = literal(integer(), count);
  int low = 0, high = count - 1;
  const int shape = number(0, 9);
  if (shape < 2) { // Downwards.
    std::swap(from, to);
    from.value = count - 1, to.value = -1;
    loop.value = -1;
  } else if (shape == 2) {
    loop.value = number(2, 3);
  } else if (shape < 6) { // A count that is only known at run time.
    to = fitted_integer(integer_value(1), {0, double(count)});
  } else if (shape == 6) { // A triangle.
    from = fitted_integer(integer_value(1), {0, count - 1.0});
  }
  const auto start = range_of(from, context()), end = range_of(to, context());
  low = static_cast<int>(std::min<double>(low, std::min(start->low, end->low + (loop.value < 0 ? 1 : 0))));
  high = static_cast<int>(std::max<double>(high, start->high));
  loop.children = {std::move(from), std::move(to)};
  loop.id = new_variable({integer(), low, high});
  visible_.push_back(loop.id);
  counters_.push_back(loop.id);
  loop.children.push_back(looping_block(count));
  visible_.pop_back();
  counters_.pop_back();
  block.children.push_back(std::move(loop));
}

void Generator::fuel_loop(Node &block) {
  const int fuel = number(2, 8);
  if (work_ + repetitions_ * fuel > allowed_work_)
    return;
  Node loop = node(Operation::fuel_loop, {}, {condition(1)});
  loop.value = fuel;
  static constexpr std::array<Form, 3> forms{Form::plain, Form::until, Form::endless};
  loop.form = one_of(forms);
  loop.id = new_variable({integer(), -1, fuel});
  visible_.push_back(loop.id);
  counters_.push_back(loop.id);
  loop.children.push_back(looping_block(fuel + 1));
  if (loop.form == Form::endless)
    visible_.pop_back(); // The others declare their counter beside the loop.
  block.children.push_back(std::move(loop));
}

void Generator::choose(Node &block) {
  const int cases = number(2, 4);
  Node result = node(Operation::choose, {}, {integer_value(1)}, chance(0.4) ? number(1, (1 << cases) - 1) : 0);
  if (chance(0.7))
    result.children[0] = node(Operation::wrap, integer(), {std::move(result.children[0])}, cases);
  const bool outer = in_choice_;
  in_choice_ = true;
  for (int i = 0; i < cases; ++i)
    result.children.push_back(this->block(number(1, 2)));
  in_choice_ = outer;
  block.children.push_back(std::move(result));
}

void Generator::enter_loop(Node &block) {
  const int fuel = number(1, 4), cases = number(2, 3);
  if (work_ + repetitions_ * fuel > allowed_work_)
    return;
  Node result = node(Operation::enter_loop, {}, {integer_value(1)});
  result.value = fuel;
  result.id = new_variable({integer(), -1, fuel});
  visible_.push_back(result.id);
  counters_.push_back(result.id);
  const double outer = repetitions_;
  const bool outer_choice = in_choice_;
  repetitions_ *= fuel + 1;
  in_choice_ = true;
  for (int i = 0; i < cases; ++i)
    result.children.push_back(this->block(number(1, 2)));
  in_choice_ = outer_choice;
  repetitions_ = outer;
  block.children.push_back(std::move(result));
}

void Generator::leave(Node &block) {
  Node body = node(Operation::block, {}, {});
  const bool returns = !loops_ || in_choice_ || chance(0.2);
  if (returns && nesting_ < 2)
    return;
  Node last = node(Operation::leave_loop, {}, {});
  if (returns) {
    last = node(Operation::give_back, {}, {});
    if (function_.result.is_number() && !function_.result.is_integer())
      last.children.push_back(storable_number(function_.result, 2));
    else if (function_.result.is_integer())
      last.children.push_back(fitted_integer(integer_value(1), {-integer_bound, integer_bound}));
    else if (function_.result.kind != Type::Kind::none)
      return;
  } else if (chance(0.4)) {
    last.operation = Operation::next_iteration;
  }
  if (auto place = writable(is_real); place && chance(0.4))
    body.children.push_back(node(Operation::assign, {}, {*place, storable_real(place->type, 2)}));
  body.children.push_back(std::move(last));
  block.children.push_back(node(Operation::branch, {}, {condition(1), std::move(body)}));
}

/// A call of itself, or of the function with which it calls itself.
std::optional<Node> Generator::recursive_call() {
  if (!function_.recursive || self_calls_ >= 2 || loops_ || !webs_.empty())
    return std::nullopt;
  const int callee = function_.partner >= 0 && chance(0.7) ? function_.partner : own_index_;
  Node called = node(Operation::call, function_.result, {}, callee);
  for (int i = 0; i < function_.parameters; ++i) {
    const Variable parameter = function_.variables[static_cast<std::size_t>(i)];
    auto passed = i == 0 ? node(Operation::depth_less_one, integer(), {}) : argument(parameter, 1);
    if (!passed)
      return std::nullopt;
    called.children.push_back(std::move(*passed));
  }
  ++self_calls_;
  return called;
}

void Generator::keep_result(Node &block, Node called) {
  if (called.type.kind == Type::Kind::none)
    return block.children.push_back(node(Operation::evaluate, {}, {std::move(called)}));
  const int id = new_variable({called.type});
  block.children.push_back(node(Operation::declare, {}, {std::move(called)}, id));
  visible_.push_back(id);
}

void Generator::call_for_effect(Node &block) {
  std::optional<Node> called;
  if (chance(0.5))
    called = recursive_call();
  if (!called && callable_) {
    const int chosen = number(0, callable_ - 1);
    if (!function_.pure || program_.functions[static_cast<std::size_t>(chosen)].pure)
      called = call(chosen, 2);
  }
  if (called)
    keep_result(block, std::move(*called));
}

} // namespace assay::gen::programs
