#include "generators/programs/prune.hpp"

#include "generators/programs/inputs.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace assay::gen::programs {

namespace {

void for_each_node(Node &node, const std::function<void(Node &)> &visit) {
  visit(node);
  for (Node &child : node.children)
    for_each_node(child, visit);
}

bool names_variable(const Node &node) {
  switch (node.operation) {
  case Operation::variable:
  case Operation::declare:
  case Operation::count_loop:
  case Operation::walk_loop:
  case Operation::fuel_loop:
  case Operation::enter_loop:
  case Operation::grow:
  case Operation::labelled_blocks:
  case Operation::jump:
  case Operation::push:
  case Operation::pop:
  case Operation::reverse:
  case Operation::walk_list:
    return true;
  default:
    return false;
  }
}

bool names_function(const Node &node) {
  return node.operation == Operation::call || node.operation == Operation::function_name;
}

/// New numbers for what is used; -1 for what is not.
std::vector<int> numbering(const std::set<int> &used, std::size_t count) {
  std::vector<int> numbers(count, -1);
  int next = 0;
  for (const int id : used)
    numbers[static_cast<std::size_t>(id)] = next++;
  return numbers;
}

template <class Thing>
void keep_used(std::vector<Thing> &things, const std::vector<int> &numbers) {
  std::vector<Thing> kept;
  for (std::size_t i = 0; i < things.size(); ++i)
    if (numbers[i] >= 0)
      kept.push_back(std::move(things[i]));
  things = std::move(kept);
}

void prune_functions(Program &program) {
  std::set<int> used{static_cast<int>(program.functions.size()) - 1};
  // Functions that call each other make a second round necessary.
  for (std::size_t before = 0; before != used.size();) {
    before = used.size();
    for (std::size_t index = program.functions.size(); index-- > 0;)
      if (used.contains(static_cast<int>(index)))
        for_each_node(program.functions[index].body, [&](const Node &node) {
          if (names_function(node))
            used.insert(node.id);
        });
  }
  const auto numbers = numbering(used, program.functions.size());
  keep_used(program.functions, numbers);
  for (Function &function : program.functions)
    if (function.partner >= 0)
      function.partner = numbers[static_cast<std::size_t>(function.partner)];
  for (Function &function : program.functions)
    for_each_node(function.body, [&](Node &node) {
      if (names_function(node))
        node.id = numbers[static_cast<std::size_t>(node.id)];
    });
}

void prune_variables(Function &function) {
  std::set<int> used;
  for (int id = 0; id < function.parameters; ++id)
    used.insert(id);
  for_each_node(function.body, [&](const Node &node) {
    if (names_variable(node))
      used.insert(node.id);
  });
  const auto numbers = numbering(used, function.variables.size());
  keep_used(function.variables, numbers);
  for_each_node(function.body, [&](Node &node) {
    if (names_variable(node))
      node.id = numbers[static_cast<std::size_t>(node.id)];
  });
}

void prune_globals(Program &program) {
  std::set<int> used;
  for (Function &function : program.functions)
    for_each_node(function.body, [&](const Node &node) {
      if (node.operation == Operation::global)
        used.insert(node.id);
    });
  const auto numbers = numbering(used, program.globals.size());
  keep_used(program.globals, numbers);
  for (Function &function : program.functions)
    for_each_node(function.body, [&](Node &node) {
      if (node.operation == Operation::global)
        node.id = numbers[static_cast<std::size_t>(node.id)];
    });
}

void visit_type(Type &type, const std::function<void(Type &)> &visit) {
  visit(type);
  for (Type &element : type.element)
    visit_type(element, visit);
}

void change_each_type(Program &program, const std::function<void(Type &)> &visit) {
  for (Structure &structure : program.structures)
    for (Type &field : structure.fields)
      visit_type(field, visit);
  for (Global &global : program.globals)
    visit_type(global.variable.type, visit);
  for (Function &function : program.functions) {
    visit_type(function.result, visit);
    for (Variable &variable : function.variables)
      visit_type(variable.type, visit);
    for_each_node(function.body, [&](Node &node) { visit_type(node.type, visit); });
  }
}

void prune_structures(Program &program) {
  std::set<int> used;
  for_each_type(program, [&](const Type &type) {
    if (type.kind == Type::Kind::structure)
      used.insert(type.id);
  });
  const auto numbers = numbering(used, program.structures.size());
  change_each_type(program, [&](Type &type) {
    if (type.kind == Type::Kind::structure)
      type.id = numbers[static_cast<std::size_t>(type.id)];
  });
  keep_used(program.structures, numbers);
}

bool uses(Function &function, int parameter) {
  bool used = false;
  for_each_node(function.body, [&](const Node &node) { used |= names_variable(node) && node.id == parameter; });
  return used;
}

void drop_inputs(Program &program, int parameter) {
  std::vector<double> inputs, weights;
  std::size_t input = 0, output = 0;
  for (const Leaf &leaf : leaves_of_entry(program)) {
    const bool keep = leaf.parameter != parameter;
    if (keep)
      inputs.push_back(program.inputs[input]);
    if (keep && leaf.is_output)
      weights.push_back(program.output_weights[output]);
    ++input;
    output += leaf.is_output;
  }
  program.inputs = std::move(inputs);
  program.output_weights = std::move(weights);
}

} // namespace

void prune(Program &program) {
  prune_functions(program);
  for (Function &function : program.functions)
    prune_variables(function);
  prune_globals(program);
  prune_structures(program);
}

bool remove_parameter(Program &program, std::size_t index, int parameter) {
  Function &function = program.functions[index];
  const bool is_entry = index + 1 == program.functions.size();
  // The driver needs one pointer and one number.
  if (uses(function, parameter) || (is_entry && parameter < 2) || (function.recursive && parameter == 0))
    return false;
  if (is_entry)
    drop_inputs(program, parameter);
  const auto place = static_cast<std::ptrdiff_t>(parameter);
  function.variables.erase(function.variables.begin() + place);
  --function.parameters;
  for_each_node(function.body, [&](Node &node) {
    if (names_variable(node) && node.id > parameter)
      --node.id;
  });
  bool taken_as_callback = false;
  for (Function &caller : program.functions)
    for_each_node(caller.body, [&](Node &node) {
      taken_as_callback |= node.operation == Operation::function_name && node.id == static_cast<int>(index);
      if (node.operation == Operation::call && node.id == static_cast<int>(index))
        node.children.erase(node.children.begin() + place);
    });
  return !taken_as_callback;
}

} // namespace assay::gen::programs
