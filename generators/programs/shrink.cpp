#include "generators/programs/shrink.hpp"

#include "generators/programs/generator.hpp"
#include "generators/programs/inputs.hpp"
#include "generators/programs/prune.hpp"
#include "generators/programs/validate.hpp"

#include <algorithm>
#include <utility>

namespace assay::gen::programs {

namespace {

using Path = std::vector<std::size_t>;

class Collector {
public:
  explicit Collector(std::size_t function) : function_(function) {}

  void visit(const Node &node, const Path &path) {
    if (node.operation == Operation::block)
      statements(node, path);
    else if (node.operation >= Operation::block)
      statement(node, path);
    else
      value(node, path);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Path deeper = path;
      deeper.push_back(i);
      visit(node.children[i], deeper);
    }
  }

  std::vector<Edit> coarse, fine;

private:
  void statements(const Node &node, const Path &path) {
    const std::size_t size = node.children.size();
    for (std::size_t count = size; count > 0; count /= 2)
      for (std::size_t position = size; position >= count; position -= count) {
        coarse.push_back({Edit::Kind::remove_statements, function_, path, position - count, count});
        if (position < 2 * count && position != count)
          coarse.push_back({Edit::Kind::remove_statements, function_, path, 0, count});
      }
  }

  void statement(const Node &node, const Path &path) {
    const bool gives_back = node.operation == Operation::give_back;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (node.children[i].operation == Operation::block)
        coarse.push_back({Edit::Kind::keep_block, function_, path, i, 0});
      if (!gives_back)
        fine.push_back({Edit::Kind::remove_child, function_, path, i, 0});
    }
    fine.push_back({Edit::Kind::shorten, function_, path, 0, 0});
    fine.push_back({Edit::Kind::plain_form, function_, path, 0, 0});
  }

  void value(const Node &node, const Path &path) {
    if (node.operation != Operation::literal)
      coarse.push_back({Edit::Kind::replace_by_literal, function_, path, 0, 0});
    fine.push_back({Edit::Kind::replace_by_literal, function_, path, 1, 0});
    for (std::size_t i = 0; i < node.children.size(); ++i)
      fine.push_back({Edit::Kind::replace_by_child, function_, path, i, 0});
  }

  std::size_t function_;
};

Node &at(Program &program, const Edit &edit) {
  Node *node = &program.functions[edit.function].body;
  for (const std::size_t step : edit.path)
    node = &node->children[step];
  return *node;
}

void make_doubles(Type &type) {
  if (type.kind == Type::Kind::real32)
    type = real64();
  for (Type &element : type.element)
    make_doubles(element);
}

void make_doubles(Node &node) {
  make_doubles(node.type);
  for (Node &child : node.children)
    make_doubles(child);
  if (node.operation == Operation::convert && node.type == node.children[0].type)
    node = Node(node.children[0]);
}

void make_doubles(Program &program) {
  for (Structure &structure : program.structures)
    for (Type &field : structure.fields)
      make_doubles(field);
  for (Global &global : program.globals)
    make_doubles(global.variable.type);
  for (Function &function : program.functions) {
    make_doubles(function.result);
    for (Variable &variable : function.variables)
      make_doubles(variable.type);
    make_doubles(function.body);
  }
}

bool replace_by_literal(Node &node, std::size_t choice) {
  if (!node.type.is_number())
    return false;
  const double value = node.type.is_integer() ? static_cast<double>(choice) : choice == 0 ? 0.5 : 1;
  if (node.operation == Operation::literal && node.value == value)
    return false;
  node = literal(node.type, value);
  return true;
}

bool replace_by_child(Node &node, std::size_t position) {
  Node child = node.children[position];
  const bool same = child.type == node.type || (child.type.is_integer() && node.type.is_integer());
  if (!same) {
    if (!child.type.is_scalar() || !node.type.is_scalar() || node.operation == Operation::convert)
      return false;
    child = programs::node(Operation::convert, node.type, {std::move(child)});
  }
  node = std::move(child);
  return true;
}

bool shorten(Node &node) {
  switch (node.operation) {
  case Operation::count_loop: {
    const bool literals =
        node.children[0].operation == Operation::literal && node.children[1].operation == Operation::literal;
    if (!literals || std::abs(node.children[1].value - node.children[0].value) <= 1)
      return false;
    (node.value > 0 ? node.children[1].value : node.children[0].value) -= 1;
    return true;
  }
  case Operation::fuel_loop:
  case Operation::enter_loop:
  case Operation::labelled_blocks:
    return --node.value > 0;
  case Operation::copy:
  case Operation::clear:
    return --node.id > 0;
  default:
    return false;
  }
}

bool make_plain(Node &node) {
  switch (node.operation) {
  case Operation::fuel_loop:
  case Operation::assign:
  case Operation::copy_bits:
  case Operation::labelled_blocks:
    if (node.form == Form::plain)
      return false;
    node.form = Form::plain;
    return true;
  case Operation::choose:
    return std::exchange(node.id, 0) != 0;
  case Operation::declare:
    if (node.form != Form::heap && node.form != Form::variable_length)
      return false;
    node.form = node.form == Form::heap ? Form::heap_of_zeros : Form::plain;
    node.children.clear();
    return true;
  default:
    return false;
  }
}

bool keep_block(Node &node, std::size_t position) {
  Node block = node.children[position];
  if (node.operation != Operation::count_loop) {
    node = std::move(block);
    return true;
  }
  return false;
}

bool remove_child(Node &node, std::size_t position) {
  switch (node.operation) {
  case Operation::branch:
    if (position != 2)
      return false;
    break;
  case Operation::choose:
  case Operation::enter_loop:
  case Operation::labelled_blocks:
    if (position == 0 || node.children.size() < 3)
      return false;
    break;
  case Operation::declare:
    break;
  default:
    return false;
  }
  node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(position));
  return true;
}

bool edit_node(Node &node, const Edit &edit) {
  const auto begin = node.children.begin() + static_cast<std::ptrdiff_t>(edit.position);
  switch (edit.kind) {
  case Edit::Kind::remove_statements:
    node.children.erase(begin, begin + static_cast<std::ptrdiff_t>(edit.count));
    return true;
  case Edit::Kind::replace_by_child:
    return replace_by_child(node, edit.position);
  case Edit::Kind::keep_block:
    return keep_block(node, edit.position);
  case Edit::Kind::remove_child:
    return remove_child(node, edit.position);
  case Edit::Kind::replace_by_literal:
    return replace_by_literal(node, edit.position);
  case Edit::Kind::shorten:
    return shorten(node);
  case Edit::Kind::plain_form:
    return make_plain(node);
  default:
    return false;
  }
}

bool edit_program(Program &program, const Edit &edit) {
  switch (edit.kind) {
  case Edit::Kind::no_mode:
    program.mode = Mode::none;
    return true;
  case Edit::Kind::doubles_only:
    make_doubles(program);
    return true;
  case Edit::Kind::inline_linkage:
    program.functions[edit.function].linkage = Function::Linkage::internal;
    return true;
  case Edit::Kind::remove_parameter:
    return remove_parameter(program, edit.function, static_cast<int>(edit.position));
  default:
    return edit_node(at(program, edit), edit);
  }
}

} // namespace

std::vector<Edit> edits_of(const Program &program) {
  std::vector<Edit> edits{{Edit::Kind::no_mode, 0, {}, 0, 0}, {Edit::Kind::doubles_only, 0, {}, 0, 0}};
  std::vector<Edit> fine;
  for (std::size_t index = program.functions.size(); index-- > 0;) {
    Collector collector(index);
    collector.visit(program.functions[index].body, {});
    edits.insert(edits.end(), collector.coarse.begin(), collector.coarse.end());
    fine.insert(fine.end(), collector.fine.begin(), collector.fine.end());
    fine.push_back({Edit::Kind::inline_linkage, index, {}, 0, 0});
    for (int id = 0; id < program.functions[index].parameters; ++id)
      edits.push_back({Edit::Kind::remove_parameter, index, {}, static_cast<std::size_t>(id), 0});
  }
  edits.insert(edits.end(), fine.begin(), fine.end());
  return edits;
}

std::optional<Program> apply(const Edit &edit, const Program &program) {
  Program edited = program;
  if (!edit_program(edited, edit))
    return std::nullopt;
  prune(edited);
  if (size_of(edited) >= size_of(program) || validate(edited))
    return std::nullopt;
  return edited;
}

} // namespace assay::gen::programs
