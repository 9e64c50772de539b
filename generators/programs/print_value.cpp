#include "generators/programs/print_value.hpp"

#include "generators/programs/complex_functions.hpp"
#include "generators/programs/math_functions.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace assay::gen::programs {

namespace {

bool widened(const Dialect &dialect) {
  return dialect.reals == Dialect::Reals::widened;
}

/// The oracle has structs in place of vectors.
std::string vector_name(const Type &type, const Dialect &dialect) {
  if (widened(dialect))
    return fmt::format("struct wide{}", type.count);
  return fmt::format("{}{}", type.element[0] == real64() ? "doubles" : "floats", type.count);
}

std::string base_name(const Type &type, const Dialect &dialect) {
  switch (type.kind) {
  case Type::Kind::real64:
    return widened(dialect) ? "long double" : "double";
  case Type::Kind::real32:
    return widened(dialect) ? "long double" : "float";
  case Type::Kind::integer:
    return type.count == 8 ? "signed char" : type.count == 16 ? "short" : type.count == 64 ? "long" : "int";
  case Type::Kind::structure:
    return fmt::format("{}s{}", dialect.prefix, type.id);
  case Type::Kind::complex:
    return base_name(type.element[0], dialect) + " _Complex";
  case Type::Kind::vector:
    return vector_name(type, dialect);
  case Type::Kind::tagged:
    return dialect.prefix + "tagged";
  default:
    return "void";
  }
}

std::string compound_literal(const Type &vector, const std::string &elements, const Dialect &dialect) {
  return widened(dialect) ? fmt::format("((struct wide{}){{{{{}}}}})", vector.count, elements)
                          : fmt::format("(({}){{{}}})", vector_name(vector, dialect), elements);
}

std::string literal(const Node &node, const Dialect &dialect) {
  if (node.type.is_complex() || node.type.is_vector()) {
    const std::string part =
        literal({Operation::literal, node.type.element[0], 0, node.value, Form::plain, {}}, dialect);
    if (node.type.is_complex())
      return fmt::format("({}){}", base_name(node.type, dialect), part);
    std::string list = part;
    for (int i = 1; i < node.type.count; ++i)
      list += ", " + part;
    return compound_literal(node.type, list, dialect);
  }
  if (node.type.is_integer())
    return node.value < 0 ? fmt::format("({})", static_cast<long>(node.value))
                          : fmt::format("{}", static_cast<long>(node.value));
  const bool narrow = node.type.kind == Type::Kind::real32;
  std::string text = narrow ? fmt::format("{}", static_cast<float>(node.value)) : fmt::format("{}", node.value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  if (narrow)
    text += "f";
  if (widened(dialect))
    text = "(long double)" + text;
  return std::signbit(node.value) || widened(dialect) ? "(" + text + ")" : text;
}

const char *name_of(Operation operation) {
  switch (operation) {
  case Operation::add:
    return "add";
  case Operation::subtract:
    return "subtract";
  case Operation::multiply:
    return "multiply";
  default:
    return "divide";
  }
}

const char *sign_of(Operation operation) {
  switch (operation) {
  case Operation::add:
    return "+";
  case Operation::subtract:
    return "-";
  case Operation::multiply:
    return "*";
  case Operation::divide:
    return "/";
  case Operation::bit_and:
    return "&";
  case Operation::bit_xor:
    return "^";
  case Operation::less:
    return "<";
  case Operation::greater_equal:
    return ">=";
  case Operation::equal:
    return "==";
  case Operation::logical_and:
    return "&&";
  default:
    return "||";
  }
}

class ValuePrinter {
public:
  explicit ValuePrinter(const Dialect &dialect) : dialect_(dialect) {}

  std::string print(const Node &node) const {
    switch (node.operation) {
    case Operation::literal:
      return literal(node, dialect_);
    case Operation::variable:
      return fmt::format("v{}", node.id);
    case Operation::global:
      return fmt::format("{}g{}", dialect_.prefix, node.id);
    case Operation::function_name:
      return fmt::format("{}f{}", dialect_.prefix, node.id);
    case Operation::depth_less_one:
      return "v0 - 1";
    case Operation::element:
      return fmt::format("{}{}[{}]", child(node, 0), node.children[0].type.is_vector() && widened(dialect_) ? ".e" : "",
                         inner(node, 1));
    case Operation::field:
      return fmt::format("{}{}m{}", child(node, 0), is_pointer(node.children[0]) ? "->" : ".", node.id);
    case Operation::address:
      return fmt::format("({} + {})", child(node, 0), child(node, 1));
    case Operation::address_of:
      return fmt::format("(&{})", child(node, 0));
    case Operation::item: {
      const std::string list = child(node, 0);
      return node.id == 0 ? list + "->value" : fmt::format("({0}->next ? {0}->next : {0})->value", list);
    }
    case Operation::lanes:
      return fmt::format("(*({}{} *){})", base_name(node.type, dialect_), widened(dialect_) ? "" : "_anywhere",
                         child(node, 0));
    case Operation::real_part:
      return fmt::format("(__real__ {})", child(node, 0));
    case Operation::imaginary_part:
      return fmt::format("(__imag__ {})", child(node, 0));
    default:
      return node.type.is_vector() ? vector(node) : computed(node);
    }
  }

private:
  std::string vector(const Node &node) const {
    switch (node.operation) {
    case Operation::make_vector:
      return compound_literal(node.type, without_parentheses(arguments(node, 0)), dialect_);
    case Operation::splat:
      return splat(node);
    case Operation::shuffle:
      return shuffle(node);
    case Operation::math:
      return vector_math(node);
    case Operation::negate:
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
      return widened(dialect_) ? wide_arithmetic(node) : computed(node);
    default:
      return computed(node);
    }
  }

  std::string wide_arithmetic(const Node &node) const {
    if (node.operation == Operation::negate)
      return fmt::format("wide{0}_subtract(wide{0}_splat(0), {1})", node.type.count, inner(node, 0));
    return fmt::format("wide{}_{}", node.type.count, name_of(node.operation)) + arguments(node, 0);
  }

  std::string splat(const Node &node) const {
    if (widened(dialect_))
      return fmt::format("wide{}_splat({})", node.type.count, inner(node, 0));
    return fmt::format("({}{{0}} + {})", "(" + base_name(node.type, dialect_) + ")", child(node, 0));
  }

  std::string shuffle(const Node &node) const {
    std::string list;
    int rest = node.id;
    for (int i = 0; i < node.type.count; ++i, rest /= 2 * node.type.count)
      list += fmt::format("{}{}", i ? ", " : "", rest % (2 * node.type.count));
    if (widened(dialect_))
      return fmt::format("wide{}_shuffle({}, {}, (int[]){{{}}})", node.type.count, inner(node, 0), inner(node, 1),
                         list);
    return fmt::format("__builtin_shufflevector({}, {}, {})", inner(node, 0), inner(node, 1), list);
  }

  std::string vector_math(const Node &node) const {
    const auto &function = math_functions()[static_cast<std::size_t>(node.id)];
    if (!widened(dialect_))
      return "__builtin_elementwise_" + std::string(function.elementwise) + arguments(node, 0);
    std::string list = arguments(node, 0);
    list.insert(1, std::string(function.name) + "l, ");
    return fmt::format("wide{}_map{}", node.type.count, node.children.size()) + list;
  }

  static bool is_pointer(const Node &node) { return node.type.kind == Type::Kind::pointer; }
  std::string child(const Node &node, std::size_t index) const { return print(node.children[index]); }
  std::string inner(const Node &node, std::size_t index) const { return without_parentheses(child(node, index)); }

  std::string computed(const Node &node) const {
    switch (node.operation) {
    case Operation::negate:
      return fmt::format("(-{})", child(node, 0));
    case Operation::remainder:
      return fmt::format("({} % {})", child(node, 0), node.id);
    case Operation::wrap:
      if (std::has_single_bit(static_cast<unsigned>(node.id)))
        return fmt::format("({} & {})", child(node, 0), node.id - 1);
      return fmt::format("(int)((unsigned)({}) % {}u)", inner(node, 0), node.id);
    case Operation::shift_right:
      return fmt::format("({} >> {})", child(node, 0), node.id);
    case Operation::convert:
      return fmt::format("({})({})", base_name(node.type, dialect_), inner(node, 0));
    case Operation::select:
      return fmt::format("({} ? {} : {})", child(node, 0), child(node, 1), child(node, 2));
    case Operation::math:
      return math_name(node) + arguments(node, 0);
    case Operation::call:
      return fmt::format("{}f{}", dialect_.prefix, node.id) + arguments(node, 0);
    case Operation::call_callback:
      return child(node, 0) + arguments(node, 1);
    case Operation::make_complex:
      return "__builtin_complex" + arguments(node, 0);
    case Operation::conjugate:
      return fmt::format("(~{})", child(node, 0));
    case Operation::scale:
      return fmt::format("({} * {})", child(node, 0), child(node, 1));
    case Operation::complex_math:
      return complex_name(node) + arguments(node, 0);
    case Operation::read_tagged:
      return fmt::format("{}read(&{})", dialect_.prefix, child(node, 0));
    default:
      return fmt::format("({} {} {})", child(node, 0), sign_of(node.operation), child(node, 1));
    }
  }

  std::string math_name(const Node &node) const {
    const std::string name(math_functions()[static_cast<std::size_t>(node.id)].name);
    if (widened(dialect_))
      return name + "l";
    return node.type.kind == Type::Kind::real32 ? name + "f" : name;
  }

  std::string complex_name(const Node &node) const {
    const std::string name(complex_functions()[static_cast<std::size_t>(node.id)].name);
    if (widened(dialect_))
      return name + "l";
    return node.children[0].type.element[0] == real32() ? name + "f" : name;
  }

  std::string arguments(const Node &node, std::size_t first) const {
    std::string text;
    for (std::size_t i = first; i < node.children.size(); ++i)
      text += (i == first ? "" : ", ") + inner(node, i);
    return "(" + text + ")";
  }

  const Dialect &dialect_;
};

} // namespace

std::string print_value(const Node &node, const Dialect &dialect) {
  return ValuePrinter(dialect).print(node);
}

std::string without_parentheses(std::string text) {
  if (text.empty() || text.front() != '(')
    return text;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < text.size())
      return text;
  }
  return text.substr(1, text.size() - 2);
}

std::string declaration(const Type &type, const std::string &name, const Dialect &dialect) {
  switch (type.kind) {
  case Type::Kind::array:
    return declaration(type.element[0], fmt::format("{}[{}]", name, type.count), dialect);
  case Type::Kind::pointer:
    if (type.element[0].kind == Type::Kind::array)
      return declaration(type.element[0], "(*" + name + ")", dialect);
    return declaration(type.element[0], "*" + name, dialect);
  case Type::Kind::list:
    return fmt::format("struct {} *{}", list_name(type, dialect), name);
  case Type::Kind::callback: {
    const std::string real = base_name(real64(), dialect);
    return fmt::format("{0} (*{1})({0})", real, name);
  }
  default:
    return base_name(type, dialect) + (name.empty() ? "" : " ") + name;
  }
}

bool is_constant(const Variable &variable) {
  const Type &type = variable.type;
  return variable.constant && !(type.is_indexed() && type.element[0].kind == Type::Kind::pointer);
}

std::string list_name(const Type &list, const Dialect &dialect) {
  const Type &held = list.element[0];
  const std::string kind = held.kind == Type::Kind::structure ? fmt::format("s{}", held.id)
                           : held == real64()                 ? "double"
                                                              : "float";
  return fmt::format("{}list_{}", dialect.prefix, kind);
}

std::string signature(const Program &program, std::size_t function, const Dialect &dialect) {
  const Function &callee = program.functions[function];
  std::string parameters;
  for (int id = 0; id < callee.parameters; ++id) {
    const Variable &variable = callee.variables[static_cast<std::size_t>(id)];
    parameters += (id ? ", " : "") + std::string(is_constant(variable) ? "const " : "") +
                  declaration(variable.type, fmt::format("v{}", id), dialect);
  }
  const char *linkage = callee.linkage == Function::Linkage::never_inlined ? "__attribute__((noinline)) static "
                        : callee.linkage == Function::Linkage::internal    ? "static "
                                                                           : "";
  return linkage + declaration(callee.result, fmt::format("{}f{}", dialect.prefix, function), dialect) + "(" +
         (parameters.empty() ? "void" : parameters) + ")";
}

} // namespace assay::gen::programs
