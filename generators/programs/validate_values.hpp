#pragma once
// Whether the values of a program are valid: typed, and within all extents and domains.

#include "generators/programs/program.hpp"
#include "generators/programs/range.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::gen::programs {

struct InvalidProgram {
  std::string text;
};

inline void require(bool holds, const char *what) {
  if (!holds)
    throw InvalidProgram{what};
}

/// The variables whose memory a pointer may point into.
inline void collect_pointed(const Node &pointer, std::vector<const Node *> &roots) {
  switch (pointer.operation) {
  case Operation::variable:
  case Operation::global:
    roots.push_back(&pointer);
    break;
  case Operation::element:
  case Operation::field:
  case Operation::address:
  case Operation::address_of:
  case Operation::item:
  case Operation::lanes:
  case Operation::real_part:
  case Operation::imaginary_part:
    collect_pointed(pointer.children.front(), roots);
    break;
  case Operation::select:
    collect_pointed(pointer.children[1], roots);
    collect_pointed(pointer.children[2], roots);
    break;
  default:
    throw InvalidProgram{"a pointer that comes from nowhere"};
  }
}

inline bool holds_pointers(const Program &program, const Type &type) {
  if (type.kind == Type::Kind::pointer || type.kind == Type::Kind::list)
    return true;
  if (type.kind == Type::Kind::array)
    return holds_pointers(program, type.element[0]);
  if (type.kind != Type::Kind::structure)
    return false;
  const auto &fields = program.structures[static_cast<std::size_t>(type.id)].fields;
  return std::any_of(fields.begin(), fields.end(), [&](const Type &field) { return holds_pointers(program, field); });
}

/// Checks values in one function, with the variables that are visible where they stand.
class ValueChecker {
public:
  ValueChecker(const Program &program, std::size_t index)
      : program_(program), function_(program.functions[index]), index_(static_cast<int>(index)),
        context_{&program, &function_} {}

protected:
  void value(const Node &node) {
    for (const Node &child : node.children)
      value(child);
    typing(node);
    if (node.type.is_number())
      require(stays_within(node, {-1e10, 1e10}, context_), "a value that may be undefined");
  }

  void typing(const Node &node) {
    switch (node.operation) {
    case Operation::variable:
      require(scope_.contains(node.id) && node.type == variable(node.id).type, "a variable out of scope");
      break;
    case Operation::global:
      require(node.id < static_cast<int>(program_.globals.size()) && node.type == global(node.id).type, "no global");
      break;
    case Operation::element:
    case Operation::address:
      indexing(node);
      break;
    case Operation::address_of:
      require(node.type == pointer_to(node.children[0].type, 1), "an address of another type");
      break;
    case Operation::field:
      field(node);
      break;
    case Operation::call:
      call(node);
      break;
    case Operation::call_callback:
      require(node.children.size() == 2 && node.children[0].type == callback() && node.children[1].type == real64(),
              "a callback's arguments");
      storable(node.children[1], real64(), {-real_bound, real_bound});
      break;
    case Operation::function_name:
      require(node.id < index_ && fits_callback(program_.functions[static_cast<std::size_t>(node.id)]),
              "a function that is no callback");
      break;
    case Operation::depth_less_one:
      require(function_.recursive, "depth outside of recursion");
      break;
    case Operation::select:
      selection(node);
      break;
    case Operation::item:
      require(node.children[0].operation == Operation::variable && node.children[0].type.kind == Type::Kind::list &&
                  node.type == node.children[0].type.element[0],
              "a node of no list");
      break;
    case Operation::read_tagged:
      tagged_place(node.children[0]);
      require(node.type == real64(), "a tagged number of another type");
      break;
    case Operation::lanes:
      require(node.type.is_vector() && node.children[0].type.is_indexed() &&
                  node.children[0].type.element == node.type.element && node.children[0].type.count >= node.type.count,
              "lanes beyond the array");
      break;
    default:
      if (node.type.is_vector() || node.type.is_complex())
        return parts(node);
      operands(node);
      break;
    }
  }

  static void tagged_place(const Node &place) {
    const bool is_place = place.operation == Operation::variable || place.operation == Operation::element ||
                          place.operation == Operation::field || place.operation == Operation::item;
    require(is_place && place.type.kind == Type::Kind::tagged, "no tagged place");
  }

  /// Values that are complex numbers or vectors.
  static void parts(const Node &node) {
    const Type &element = node.type.element[0];
    switch (node.operation) {
    case Operation::literal:
      return;
    case Operation::make_complex:
    case Operation::make_vector:
    case Operation::splat: {
      const auto count = node.operation == Operation::splat ? 1U : node.type.is_complex() ? 2U : node.type.count;
      require(node.children.size() == static_cast<std::size_t>(count), "too many parts, or too few");
      for (const Node &child : node.children)
        require(child.type == element, "a part of another type");
      return;
    }
    case Operation::scale:
      return require(node.type.is_complex() && node.children[0].type == node.type && node.children[1].type == element,
                     "a factor of another type");
    case Operation::convert:
      return require(node.type.is_complex() && node.children[0].type.is_complex(), "a conversion to no number");
    default:
      for (const Node &child : node.children)
        require(child.type == node.type, "an operand of another type");
      if (node.operation == Operation::math)
        require(!math_functions()[static_cast<std::size_t>(node.id)].elementwise.empty(), "a function of no vectors");
    }
  }

  static bool fits_callback(const Function &function) {
    return function.parameters == 1 && function.variables[0].type == real64() && function.result == real64() &&
           function.pure && !function.recursive;
  }

  void operands(const Node &node) {
    if (node.operation == Operation::literal)
      return require(node.type.is_scalar(), "a literal that is no number");
    if (node.operation == Operation::convert)
      return require(node.type.is_scalar() && node.children[0].type.is_scalar(), "a conversion to no number");
    if (node.operation == Operation::real_part || node.operation == Operation::imaginary_part ||
        node.operation == Operation::complex_math)
      return require(node.children[0].type.is_complex() && node.children[0].type.element[0] == node.type,
                     "a part of no complex number");
    const bool compares = node.operation >= Operation::less && node.operation <= Operation::equal;
    for (const Node &child : node.children) {
      if (compares)
        require(child.type == node.children.front().type, "a comparison of two types");
      else if (node.type.is_real())
        require(child.type == node.type, "a real operand of another type");
      else
        require(child.type.is_integer(), "an integer operand of another type");
    }
  }

  void selection(const Node &node) {
    require(node.children[0].type.is_integer(), "a condition that is no integer");
    for (std::size_t i = 1; i < 3; ++i) {
      const Type &type = node.children[i].type;
      if (node.type.kind == Type::Kind::pointer)
        require(decays_to(type, node.type), "a choice of pointers");
      else
        require(type == node.type, "a choice of two types");
    }
  }

  void indexing(const Node &node) {
    const Node &base = node.children[0], &index = node.children[1];
    const bool in_vector = base.type.is_vector() && node.operation == Operation::element;
    require((base.type.is_indexed() || in_vector) && index.type.is_integer(), "an index of no array");
    const auto range = range_of(index, context_);
    require(range && range->low >= 0, "an index below the array");
    if (node.operation == Operation::element)
      return require(range->high < base.type.count && node.type == base.type.element[0], "an index above the array");
    require(node.type.kind == Type::Kind::pointer && node.type.element == base.type.element &&
                range->high + node.type.count <= base.type.count,
            "an address above the array");
  }

  void field(const Node &node) {
    const Type *type = &node.children[0].type;
    if (type->kind == Type::Kind::pointer)
      type = &type->element[0];
    require(type->kind == Type::Kind::structure && type->id < static_cast<int>(program_.structures.size()),
            "a field of no structure");
    const auto &fields = program_.structures[static_cast<std::size_t>(type->id)].fields;
    require(node.id < static_cast<int>(fields.size()) && node.type == fields[static_cast<std::size_t>(node.id)],
            "a field of another type");
  }

  void call(const Node &node) {
    const bool recursion = function_.recursive && (node.id == index_ || node.id == function_.partner);
    require(node.id < index_ || recursion, "a call of a later function");
    const Function &callee = program_.functions[static_cast<std::size_t>(node.id)];
    require(node.type == callee.result && node.children.size() == static_cast<std::size_t>(callee.parameters),
            "a call of another signature");
    require(!recursion || (callee.recursive && node.children[0].operation == Operation::depth_less_one),
            "recursion without end");
    require(!function_.pure || callee.pure, "a pure function that calls one that is not");
    for (std::size_t i = recursion ? 1 : 0; i < node.children.size(); ++i)
      pass(node.children[i], callee.variables[i]);
  }

  void pass(const Node &argument, const Variable &parameter) {
    if (parameter.type.kind == Type::Kind::pointer)
      return pointer(argument, parameter);
    if (parameter.type.kind == Type::Kind::list)
      return list(argument, parameter);
    storable(argument, parameter.type, {double(parameter.low), double(parameter.high)});
  }

  static bool decays_to(const Type &from, const Type &to) {
    return from.is_indexed() && from.element == to.element && from.count >= to.count;
  }

  void pointer(const Node &value, const Variable &target) {
    require(decays_to(value.type, target.type), "a pointer of another type");
    std::vector<const Node *> roots;
    collect_pointed(value, roots);
    for (const Node *node : roots) {
      const Variable &root = *root_of(*node, context_);
      require(target.constant || !root.constant, "a constant that becomes writable");
      require(root.low == -integer_bound && root.high == integer_bound, "a pointer to integers with bounds");
    }
  }

  void list(const Node &value, const Variable &target) {
    require(value.operation == Operation::variable && value.type.kind == Type::Kind::list &&
                value.type.element == target.type.element,
            "a list of another type");
    require(target.constant || !variable(value.id).constant, "a constant list that becomes writable");
  }

  /// That a value may be kept in memory of this type.
  void storable(const Node &node, const Type &type, Interval integers) {
    require(node.type == type || (node.type.is_integer() && type.is_integer()), "a value of another type");
    if (!type.is_number())
      return;
    require(stays_within(node, type.is_integer() ? integers : Interval{-real_bound, real_bound}, context_),
            "a value out of bounds");
  }

  void pure(const Node &node) {
    if (node.operation == Operation::call)
      require(program_.functions[static_cast<std::size_t>(node.id)].pure, "a call with effects inside of a value");
    for (const Node &child : node.children)
      pure(child);
  }

  /// A value at the top of a statement: it may be a call with effects.
  void statement_value(const Node &node) {
    value(node);
    if (node.operation != Operation::call)
      return pure(node);
    for (const Node &child : node.children)
      pure(child);
  }

  void condition(const Node &node) {
    value(node);
    pure(node);
    require(node.type.is_integer(), "a condition that is no integer");
  }

  const Variable &variable(int id) const {
    require(id >= 0 && id < static_cast<int>(function_.variables.size()), "no such variable");
    return function_.variables[static_cast<std::size_t>(id)];
  }
  const Variable &global(int id) const { return program_.globals[static_cast<std::size_t>(id)].variable; }

  const Program &program_;
  const Function &function_;
  int index_;
  Context context_;
  std::map<int, int> scope_; ///< The depth at which each visible variable was declared.
  std::vector<int> counters_;
  std::set<int> fixed_; ///< Pointers that are not assigned.
  std::set<int> owned_; ///< Those of them that own memory.
  int depth_ = 0, loops_ = 0;
  bool in_choice_ = false;
};

} // namespace assay::gen::programs
