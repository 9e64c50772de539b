// Linked lists, and arrays of pointers to arrays.
#include "generators/programs/generator.hpp"

#include <algorithm>

namespace assay::gen::programs {

namespace {

bool is_row(const Type &type) {
  return type.kind == Type::Kind::pointer && type.element[0].is_real();
}

constexpr double longest_list = 60;

} // namespace

void Generator::declare_list(Node &block) {
  const Type held = plain_structures_ && chance(0.3) ? some_structure() : floating();
  Node result = node(Operation::declare, {}, {});
  result.form = Form::heap_of_zeros;
  if (held.is_real() && chance(0.8)) {
    result.form = Form::heap;
    result.children.push_back(storable_real(held, 2));
  }
  Type list = list_of(held);
  list.count = number(1, 5);
  result.id = new_variable({list});
  visible_.push_back(result.id);
  fixed_.push_back(result.id);
  owned_lists_.push_back(result.id);
  list_lengths_[result.id] = list.count;
  block.children.push_back(std::move(result));
}

std::optional<int> Generator::some_list(bool owned) {
  std::vector<int> found;
  for (const int id : visible_)
    if (function_.variables[static_cast<std::size_t>(id)].type.kind == Type::Kind::list &&
        (!owned || std::find(owned_lists_.begin(), owned_lists_.end(), id) != owned_lists_.end()))
      found.push_back(id);
  if (found.empty())
    return std::nullopt;
  return one_of(found);
}

void Generator::change_list(Node &block) {
  const auto id = some_list(true);
  if (!id)
    return declare_list(block);
  const int choice = number(0, 9);
  if (choice < 5) {
    double &length = list_lengths_[*id];
    if (length + repetitions_ > longest_list)
      return;
    length += repetitions_;
    Node result = node(Operation::push, {}, {}, *id);
    const Type held = function_.variables[static_cast<std::size_t>(*id)].type.element[0];
    if (held.is_real())
      result.children.push_back(storable_real(held, 3));
    return block.children.push_back(std::move(result));
  }
  if (walks_ == 0)
    block.children.push_back(node(choice < 8 ? Operation::pop : Operation::reverse, {}, {}, *id));
}

void Generator::walk_list(Node &block) {
  const auto id = some_list(false);
  if (!id)
    return declare_list(block);
  const auto known = list_lengths_.find(*id);
  const double length = known == list_lengths_.end() ? 10 : known->second;
  if (work_ + repetitions_ * length > allowed_work_)
    return;
  Variable walker{function_.variables[static_cast<std::size_t>(*id)].type};
  walker.constant = !may_write(use(*id));
  Node loop = node(Operation::walk_list, {}, {use(*id)}, new_variable(walker));
  list_lengths_[loop.id] = length;
  visible_.push_back(loop.id);
  fixed_.push_back(loop.id);
  ++walks_;
  loop.children.push_back(looping_block(static_cast<int>(length)));
  --walks_;
  visible_.pop_back();
  block.children.push_back(std::move(loop));
}

void Generator::declare_rows(Node &block) {
  Node result = node(Operation::declare, {}, {});
  result.form = Form::heap_of_zeros;
  if (chance(0.7)) {
    result.form = Form::heap;
    result.children.push_back(storable_real(real64(), 2));
  }
  result.id = new_variable({pointer_to(pointer_to(real64(), chance(0.7) ? 2 : 3), number(2, 4))});
  visible_.push_back(result.id);
  fixed_.push_back(result.id);
  block.children.push_back(std::move(result));
}

/// An array of pointers to what is there already.
void Generator::declare_pointers(Node &block) {
  Variable variable{array_of(pointer_to(floating(), number(1, 3)), number(2, 3))};
  variable.constant = function_.pure || chance(0.15);
  Node result = node(Operation::declare, {}, {});
  for (int i = 0; i < variable.type.count; ++i) {
    auto target = pointer(variable.type.element[0], variable.constant);
    if (!target)
      return;
    result.children.push_back(std::move(*target));
  }
  result.id = new_variable(variable);
  visible_.push_back(result.id);
  block.children.push_back(std::move(result));
}

void Generator::swap_rows(Node &block) {
  for (int attempt = 0; attempt < 6; ++attempt) {
    const auto first = readable(is_row);
    if (!first || first->operation != Operation::element || first->children[0].operation != Operation::variable)
      continue;
    const int id = first->children[0].id;
    const Variable &variable = function_.variables[static_cast<std::size_t>(id)];
    if (variable.constant || id < function_.parameters)
      continue;
    Node second = node(Operation::element, first->type, {use(id), index(variable.type.count)});
    block.children.push_back(node(Operation::swap, {}, {*first, std::move(second)}));
    return;
  }
}

} // namespace assay::gen::programs
