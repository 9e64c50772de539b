#include "generators/programs/generator.hpp"

#include "generators/programs/type_predicates.hpp"

#include <algorithm>

namespace assay::gen::programs {

namespace {

bool is_structure(const Type &type) {
  return type.kind == Type::Kind::structure;
}
bool holds_numbers(const Type &type) {
  return type.is_indexed() &&
         (type.element[0].is_number() || is_structure(type.element[0]) || type.element[0].kind == Type::Kind::tagged);
}

} // namespace

void Generator::declare_array(Node &block) {
  const int shape = number(0, 9);
  Type element = shape < 6    ? real64()
                 : shape == 6 ? floating()
                 : shape == 7 ? integer()
                              : array_of(real64(), number(2, 3));
  if (shape == 9 && plain_structures_)
    element = some_structure();
  if (likely(0.06, weights_.complex))
    element = complex_type();
  else if (likely(0.05, weights_.vectors))
    element = vector_type();
  else if (likely(0.04, weights_.tagged))
    element = tagged();
  const int count = number(2, 6);
  Node result = node(Operation::declare, {}, {});
  if (!has_computed_jump_ && chance(0.1)) {
    result.form = Form::variable_length;
    result.children = {integer_value(1)};
    has_variable_length_ = true;
  } else if (element.is_real() && chance(0.6))
    for (int i = number(1, count); i > 0; --i)
      result.children.push_back(storable_real(element, 1));
  result.id = new_variable({array_of(element, count)});
  visible_.push_back(result.id);
  block.children.push_back(std::move(result));
}

void Generator::declare_structure(Node &block) {
  if (program_.structures.empty())
    return;
  const Type type = structure(number(0, static_cast<int>(program_.structures.size()) - 1));
  if (!is_plain(type))
    return declare_view(block, type);
  Node result = node(Operation::declare, {}, {});
  if (chance(0.3))
    for (const int id : visible_)
      if (function_.variables[static_cast<std::size_t>(id)].type == type)
        result.children = {use(id)};
  result.id = new_variable({type});
  visible_.push_back(result.id);
  block.children.push_back(std::move(result));
}

void Generator::declare_view(Node &block, const Type &type) {
  Node result = node(Operation::declare, {}, {});
  for (const Type &field : program_.structures[static_cast<std::size_t>(type.id)].fields) {
    auto value = argument({field}, 2);
    if (!value)
      return;
    result.children.push_back(std::move(*value));
  }
  result.id = new_variable({type});
  visible_.push_back(result.id);
  block.children.push_back(std::move(result));
}

void Generator::declare_pointer(Node &block) {
  Type type = pointer_to(floating(), number(1, 3));
  if (likely(0.1, weights_.complex))
    type = pointer_to(complex_type(), number(1, 2));
  if (chance(0.15) && plain_structures_)
    type = pointer_to(some_structure(), 1);
  const bool constant = function_.pure || chance(0.15);
  auto target = pointer(type, constant);
  if (!target)
    return;
  if (chance(0.3))
    if (auto other = pointer(type, constant))
      target = node(Operation::select, type, {condition(0), std::move(*target), std::move(*other)});
  Variable variable{type};
  variable.constant = constant;
  const int id = new_variable(variable);
  block.children.push_back(node(Operation::declare, {}, {std::move(*target)}, id));
  visible_.push_back(id);
}

void Generator::assign_pointer(Node &block) {
  for (const int id : visible_) {
    const Variable variable = function_.variables[static_cast<std::size_t>(id)];
    const bool fixed = std::find(fixed_.begin(), fixed_.end(), id) != fixed_.end();
    const bool in_array =
        variable.type.kind == Type::Kind::array && variable.type.element[0].kind == Type::Kind::pointer;
    if ((variable.type.kind != Type::Kind::pointer && !in_array) || fixed || !chance(0.4))
      continue;
    const Type type = in_array ? variable.type.element[0] : variable.type;
    // What is declared later may live shorter.
    const auto all = visible_;
    visible_.erase(std::find(visible_.begin(), visible_.end(), id), visible_.end());
    auto target = pointer(type, variable.constant);
    visible_ = all;
    if (!target)
      continue;
    Node place = in_array ? node(Operation::element, type, {use(id), index(variable.type.count)}) : use(id);
    block.children.push_back(node(Operation::assign, {}, {std::move(place), std::move(*target)}));
    return;
  }
}

void Generator::declare_heap(Node &block) {
  const int shape = number(0, 9);
  Type element = shape < 7 ? real64() : shape == 7 ? floating() : array_of(real64(), number(2, 3));
  if (shape == 9 && plain_structures_)
    element = some_structure();
  if (likely(0.06, weights_.complex))
    element = complex_type();
  else if (likely(0.05, weights_.vectors))
    element = vector_type();
  Node result = node(Operation::declare, {}, {});
  result.form = Form::heap_of_zeros;
  if (element.is_real() && chance(0.7)) {
    result.form = Form::heap;
    result.children.push_back(storable_real(element, 2));
  }
  result.id = new_variable({pointer_to(element, number(2, 6))});
  visible_.push_back(result.id);
  fixed_.push_back(result.id);
  if (chance(0.4))
    growing_.push_back(result.id);
  block.children.push_back(std::move(result));
}

void Generator::declare_callback(Node &block) {
  Variable variable{callback()};
  if (chance(0.4)) {
    Node table = node(Operation::declare, {}, {});
    for (int count = number(2, 3); count > 0; --count)
      if (auto function = argument(variable, 0))
        table.children.push_back(std::move(*function));
    if (table.children.empty())
      return;
    table.id = new_variable({array_of(callback(), static_cast<int>(table.children.size()))});
    block.children.push_back(table);
    visible_.push_back(table.id);
    return;
  }
  auto first = argument(variable, 0), second = argument(variable, 0);
  if (!first)
    return;
  Node value = second ? node(Operation::select, callback(), {condition(1), std::move(*first), std::move(*second)})
                      : std::move(*first);
  const int id = new_variable(variable);
  block.children.push_back(node(Operation::declare, {}, {std::move(value)}, id));
  visible_.push_back(id);
}

void Generator::assign_structure(Node &block) {
  auto place = writable(is_structure);
  if (!place || !is_plain(place->type))
    return;
  for (int attempt = 0; attempt < 6; ++attempt) {
    auto value = readable(is_structure);
    if (!value || value->type != place->type)
      continue;
    block.children.push_back(node(Operation::assign, {}, {std::move(*place), std::move(*value)}));
    return;
  }
}

void Generator::copy(Node &block) {
  const auto from = readable(holds_numbers);
  if (!from || !is_plain(from->type.element[0]))
    return;
  auto to = writable(holds_numbers);
  for (int attempt = 0; attempt < 6 && to && to->type.element != from->type.element; ++attempt)
    to = writable(holds_numbers);
  if (!to || to->type.element != from->type.element)
    return;
  const auto has_bounds = [&](const Node &place) {
    const Variable *root = root_of(place, context());
    return root->low != -integer_bound || root->high != integer_bound;
  };
  if (has_bounds(*to) || has_bounds(*from))
    return;
  Node result = node(Operation::copy, {}, {*to, *from});
  result.id = number(1, std::min(to->type.count, from->type.count));
  const Node *to_root = &*to, *from_root = &*from;
  const bool direct = to->children.empty() && from->children.empty() && to->type.kind == Type::Kind::array &&
                      from->type.kind == Type::Kind::array && !(*to_root == *from_root);
  result.form = direct ? Form::plain : Form::overlapping;
  const int room = to->type.count - result.id + 1;
  if (!direct && room > 1)
    result.children[0] = node(Operation::address, pointer_to(to->type.element[0], result.id), {*to, index(room)});
  block.children.push_back(std::move(result));
}

void Generator::clear(Node &block) {
  auto place = writable(holds_numbers);
  if (!place || !is_plain(place->type.element[0]))
    return;
  const Variable *root = root_of(*place, context());
  if (root->low > 0)
    return;
  const int count = number(1, place->type.count);
  block.children.push_back(node(Operation::clear, {}, {std::move(*place)}, count));
}

void Generator::grow(Node &block) {
  for (const int id : visible_)
    if (std::find(growing_.begin(), growing_.end(), id) != growing_.end() && chance(0.7)) {
      Node result = node(Operation::grow, {}, {}, id);
      result.value = number(1, 9);
      return block.children.push_back(std::move(result));
    }
}

void Generator::walk_loop(Node &block) {
  const auto constant = [&](const Node &place) { return !may_write(place); };
  auto base = readable(holds_numbers);
  if (!base || root_of(*base, context())->low != -integer_bound || root_of(*base, context())->high != integer_bound)
    return;
  std::vector<const Node *> path{&*base};
  while (!path.back()->children.empty())
    path.push_back(&path.back()->children[0]);
  const bool grows = path.back()->operation == Operation::variable &&
                     std::find(growing_.begin(), growing_.end(), path.back()->id) != growing_.end();
  if (grows || work_ + repetitions_ * base->type.count > allowed_work_)
    return;
  Variable walker{pointer_to(base->type.element[0], 1)};
  walker.constant = constant(*base);
  const int count = base->type.count;
  Node loop = node(Operation::walk_loop, {}, {std::move(*base)}, new_variable(walker));
  visible_.push_back(loop.id);
  fixed_.push_back(loop.id);
  loop.children.push_back(looping_block(count));
  visible_.pop_back();
  block.children.push_back(std::move(loop));
}

void Generator::copy_bits(Node &block) {
  auto to = writable(is_real);
  const auto from = readable(is_real);
  const auto in_vector = [](const Node &place) {
    return place.operation == Operation::element && place.children[0].type.is_vector();
  };
  if (!to || !from || to->type != from->type || in_vector(*to) || in_vector(*from))
    return;
  block.children.push_back(node(Operation::copy_bits, {}, {std::move(*to), *from}));
  if (likely(0.4, weights_.unions))
    block.children.back().form = Form::by_union;
}

} // namespace assay::gen::programs
