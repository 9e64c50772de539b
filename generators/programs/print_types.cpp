#include "generators/programs/print_types.hpp"

#include "generators/programs/print_value.hpp"

#include <fmt/format.h>
#include <map>

namespace assay::gen::programs {

namespace {

std::string print_structure(const Structure &structure, int id, const Dialect &dialect) {
  std::string text = fmt::format("typedef {} {{\n", structure.overlay ? "union" : "struct");
  int field = 0;
  for (const Type &type : structure.fields)
    text += fmt::format("  {};\n", declaration(type, fmt::format("m{}", field++), dialect));
  return text + fmt::format("}} {}s{};\n", dialect.prefix, id);
}

std::string print_tagged(const Dialect &dialect) {
  const std::string wide = declaration(real64(), "", dialect), narrow = declaration(real32(), "", dialect);
  return fmt::format(R"(typedef struct {{
  int tag;
  union {{ {1} d; {2} f; long i; {1} v[2]; }} u;
}} {0}tagged;
static {1} {0}read(const {0}tagged *x) {{
  switch (x->tag) {{
  case 1: return ({1})x->u.f;
  case 2: return x->u.i * ({1})0.03125;
  case 3: return ({1})0.5 * x->u.v[0] - ({1})0.25 * x->u.v[1];
  default: return x->u.d;
  }}
}}
)",
                     dialect.prefix, wide, narrow);
}

std::string print_list(const Type &list, const Dialect &dialect) {
  const std::string name = list_name(list, dialect);
  return fmt::format("struct {0} {{\n  {1};\n  struct {0} *next;\n}};\n", name,
                     declaration(list.element[0], "value", dialect));
}

/// The nodes of each kind of list.
std::string print_lists(const Program &program, const Dialect &dialect) {
  std::map<std::string, std::string> lists;
  for_each_type(program, [&](const Type &type) {
    if (type.kind == Type::Kind::list)
      lists.emplace(list_name(type, dialect), print_list(type, dialect));
  });
  std::string text;
  for (const auto &[name, list] : lists)
    text += list;
  return text;
}

bool has_tagged(const Program &program) {
  bool found = false;
  for_each_type(program, [&](const Type &type) { found |= type.kind == Type::Kind::tagged; });
  return found;
}

std::string print_global(const Global &global, int id, const Dialect &dialect) {
  const Type &type = global.variable.type;
  if (!global.variable.constant)
    return fmt::format("static {};\n", declaration(type, fmt::format("{}g{}", dialect.prefix, id), dialect));
  std::string values;
  for (const double value : global.values) {
    const Node literal{Operation::literal, type.is_indexed() ? type.element[0] : type, 0, value, Form::plain, {}};
    values += (values.empty() ? "" : ", ") + print_value(literal, dialect);
  }
  return fmt::format("static {}{} = {{{}}};\n", global.variable.constant ? "const " : "",
                     declaration(type, fmt::format("{}g{}", dialect.prefix, id), dialect), values);
}

} // namespace

std::string print_types(const Program &program, const Dialect &dialect) {
  std::string text = has_tagged(program) ? print_tagged(dialect) : "";
  int id = 0;
  for (const Structure &structure : program.structures)
    text += print_structure(structure, id++, dialect);
  text += print_lists(program, dialect);
  id = 0;
  for (const Global &global : program.globals)
    text += print_global(global, id++, dialect);
  return text;
}

} // namespace assay::gen::programs
