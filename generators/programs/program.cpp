#include "generators/programs/program.hpp"

#include <cmath>
#include <utility>

namespace assay::gen::programs {

namespace {

std::size_t size_of(const Type &type) {
  std::size_t size = type.kind == Type::Kind::real32 ? 1 : 0;
  for (const Type &element : type.element)
    size += size_of(element);
  return size;
}

/// A literal is smaller than anything else; fewer repetitions and plainer forms are smaller.
std::size_t size_of(const Node &node) {
  std::size_t size = node.operation == Operation::literal ? 4 : 8;
  if (node.operation == Operation::literal && node.value != 0)
    size += node.value == 1 || node.value == 0.5 ? 1 : 2;
  if (node.form != Form::plain)
    ++size;
  if (node.operation == Operation::fuel_loop || node.operation == Operation::enter_loop ||
      node.operation == Operation::labelled_blocks)
    size += static_cast<std::size_t>(node.value);
  if (node.operation == Operation::copy || node.operation == Operation::clear || node.operation == Operation::choose)
    size += static_cast<std::size_t>(node.id);
  if (node.operation == Operation::count_loop)
    for (std::size_t i = 0; i < 2; ++i)
      if (node.children[i].operation == Operation::literal)
        size += static_cast<std::size_t>(std::abs(node.children[i].value));
  size += size_of(node.type);
  for (const Node &child : node.children)
    size += size_of(child);
  return size;
}

std::size_t size_of(const Function &function) {
  std::size_t size = size_of(function.body) + size_of(function.result);
  for (const Variable &variable : function.variables)
    size += 8 + size_of(variable.type);
  return size + (function.linkage == Function::Linkage::internal ? 0 : 1);
}

} // namespace

Type real64() {
  return {Type::Kind::real64, 0, 0, {}};
}

Type real32() {
  return {Type::Kind::real32, 0, 0, {}};
}

Type integer(int bits) {
  return {Type::Kind::integer, bits, 0, {}};
}

Type array_of(Type element, int count) {
  return {Type::Kind::array, count, 0, {std::move(element)}};
}

Type pointer_to(Type element, int count) {
  return {Type::Kind::pointer, count, 0, {std::move(element)}};
}

Type structure(int id) {
  return {Type::Kind::structure, 0, id, {}};
}

Type callback() {
  return {Type::Kind::callback, 0, 0, {}};
}

Type complex_of(Type element) {
  return {Type::Kind::complex, 0, 0, {std::move(element)}};
}

Type vector_of(Type element, int count) {
  return {Type::Kind::vector, count, 0, {std::move(element)}};
}

Type tagged() {
  return {Type::Kind::tagged, 0, 0, {}};
}

Type list_of(Type element) {
  return {Type::Kind::list, 1, 0, {std::move(element)}};
}

namespace {

void visit_type(const Type &type, const std::function<void(const Type &)> &visit) {
  visit(type);
  for (const Type &element : type.element)
    visit_type(element, visit);
}

void visit_types(const Node &node, const std::function<void(const Type &)> &visit) {
  visit_type(node.type, visit);
  for (const Node &child : node.children)
    visit_types(child, visit);
}

} // namespace

void for_each_type(const Program &program, const std::function<void(const Type &)> &visit) {
  for (const Structure &structure : program.structures)
    for (const Type &field : structure.fields)
      visit_type(field, visit);
  for (const Global &global : program.globals)
    visit_type(global.variable.type, visit);
  for (const Function &function : program.functions) {
    visit_type(function.result, visit);
    for (const Variable &variable : function.variables)
      visit_type(variable.type, visit);
    visit_types(function.body, visit);
  }
}

std::size_t size_of(const Program &program) {
  std::size_t size = 0;
  for (const Structure &structure : program.structures)
    for (const Type &field : structure.fields)
      size += 8 + size_of(field);
  for (const Global &global : program.globals)
    size += 1 + global.values.size();
  for (const Function &function : program.functions)
    size += 8 + size_of(function);
  return size + (program.mode == Mode::none ? 0 : 1);
}

} // namespace assay::gen::programs
