#include "generators/programs/print.hpp"

#include "generators/programs/print_types.hpp"
#include "generators/programs/print_value.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::gen::programs {

namespace {

/// Writes the statements of one function. Memory on the heap is released where its block is left.
class FunctionPrinter {
public:
  FunctionPrinter(const Program &program, const Function &function, const Dialect &dialect)
      : program_(program), function_(function), dialect_(dialect) {}

  std::string print(std::size_t index) {
    line(signature(program_, index, dialect_) + " {");
    ++indent_;
    if (function_.recursive)
      line("if (v0 <= 0) return" + base_case() + ";");
    statements(function_.body);
    --indent_;
    line("}");
    return std::move(text_);
  }

private:
  std::string base_case() const {
    if (function_.result.kind == Type::Kind::none)
      return "";
    return function_.result.is_integer() ? " 1" : " 0.5";
  }

  void line(const std::string &text) {
    text_.append(2 * static_cast<std::size_t>(indent_), ' ');
    text_ += text + '\n';
  }

  std::string value(const Node &node) const { return print_value(node, dialect_); }
  std::string condition(const Node &node) const { return without_parentheses(value(node)); }
  const Variable &variable(int id) const { return function_.variables[static_cast<std::size_t>(id)]; }

  void statements(const Node &block) {
    const std::size_t outer = heap_.size();
    for (const Node &child : block.children)
      statement(child);
    const bool ended = !block.children.empty() && leaves(block.children.back());
    if (!ended)
      release_down_to(outer);
    heap_.resize(outer);
  }

  static bool leaves(const Node &node) {
    return node.operation == Operation::give_back || node.operation == Operation::leave_loop ||
           node.operation == Operation::next_iteration;
  }

  void release_down_to(std::size_t height) {
    for (std::size_t i = heap_.size(); i > height; --i)
      release(heap_[i - 1]);
  }

  void release(int id) {
    const Type &type = variable(id).type;
    if (type.kind == Type::Kind::list)
      return line(
          fmt::format("while (v{0}) {{ {1}next = v{0}->next; free(v{0}); v{0} = next; }}", id, pointer_to_node(id)));
    if (type.element[0].kind == Type::Kind::pointer)
      line(fmt::format("for (int i = 0; i < {0}; ++i) free(v{1}[i]);", type.count, id));
    line(fmt::format("free(v{});", id));
  }

  /// `struct list *`
  std::string pointer_to_node(int id) const {
    return fmt::format("struct {} *", list_name(variable(id).type, dialect_));
  }

  void body(const std::string &head, const Node &block) {
    line(head + " {");
    ++indent_;
    statements(block);
    --indent_;
    line("}");
  }

  void loop(const std::string &head, const Node &block) {
    const std::size_t outer = loop_height_;
    loop_height_ = heap_.size();
    body(head, block);
    loop_height_ = outer;
  }

  void statement(const Node &node) {
    switch (node.operation) {
    case Operation::block:
      return body("", node);
    case Operation::declare:
      return declare(node);
    case Operation::assign:
      return assign(node);
    case Operation::evaluate:
      return line(value(node.children[0]) + ";");
    case Operation::branch:
      body(fmt::format("if ({})", condition(node.children[0])), node.children[1]);
      if (node.children.size() > 2)
        body("else", node.children[2]);
      return;
    case Operation::count_loop:
      return count_loop(node);
    case Operation::walk_loop:
      return walk_loop(node);
    case Operation::fuel_loop:
      return fuel_loop(node);
    case Operation::choose:
      return choose(node);
    case Operation::enter_loop:
      return enter_loop(node);
    case Operation::leave_loop:
    case Operation::next_iteration:
      release_down_to(loop_height_);
      return line(node.operation == Operation::leave_loop ? "break;" : "continue;");
    case Operation::give_back:
      return give_back(node);
    case Operation::labelled_blocks:
      return labelled_blocks(node);
    case Operation::jump:
      return jump(node);
    default:
      return memory_statement(node);
    }
  }

  void memory_statement(const Node &node) {
    switch (node.operation) {
    case Operation::write_tagged:
      return write_tagged(node);
    case Operation::push:
      return push(node);
    case Operation::pop:
      return line(fmt::format("if (v{0}->next) {{ {1}next = v{0}->next; free(v{0}); v{0} = next; }}", node.id,
                              pointer_to_node(node.id)));
    case Operation::reverse:
      return line(fmt::format("{{ {1}turned = 0; while (v{0}) {{ {1}next = v{0}->next; v{0}->next = turned; turned = "
                              "v{0}; v{0} = next; }} v{0} = turned; }}",
                              node.id, pointer_to_node(node.id)));
    case Operation::walk_list:
      return loop(
          fmt::format("for ({0} = {1}; v{2}; v{2} = v{2}->next)", declared(node.id), value(node.children[0]), node.id),
          node.children[1]);
    case Operation::swap:
      return line(fmt::format("{{ {0} = {1}; {1} = {2}; {2} = other; }}",
                              declaration(node.children[0].type, "other", dialect_), value(node.children[0]),
                              value(node.children[1])));
    case Operation::copy:
      return line(fmt::format("{}({}, {}, {} * sizeof({}));", node.form == Form::overlapping ? "memmove" : "memcpy",
                              value(node.children[0]), value(node.children[1]), node.id, element_name(node)));
    case Operation::clear:
      return line(fmt::format("memset({}, 0, {} * sizeof({}));", value(node.children[0]), node.id, element_name(node)));
    case Operation::copy_bits:
      return copy_bits(node);
    case Operation::grow: {
      const Type &type = variable(node.id).type;
      return line(fmt::format("v{0} = ({1})realloc(v{0}, {2} * sizeof({3}));", node.id, declaration(type, "", dialect_),
                              type.count + static_cast<int>(node.value), declaration(type.element[0], "", dialect_)));
    }
    default:
      return;
    }
  }

  std::string element_name(const Node &node) const {
    return declaration(node.children[0].type.element[0], "", dialect_);
  }

  std::string declared(int id) const {
    const std::string constant = is_constant(variable(id)) ? "const " : "";
    return constant + declaration(variable(id).type, fmt::format("v{}", id), dialect_);
  }

  std::string list(const std::vector<Node> &values) const {
    std::string text;
    for (const Node &node : values)
      text += (text.empty() ? "" : ", ") + condition(node);
    return "{" + (text.empty() ? "0" : text) + "}";
  }

  void declare(const Node &node) {
    const Type &type = variable(node.id).type;
    if (node.form == Form::heap || node.form == Form::heap_of_zeros)
      return allocate(node, type);
    if (node.form == Form::variable_length) {
      const Type longer = array_of(type.element[0], 0);
      std::string text = declaration(longer, fmt::format("v{}", node.id), dialect_);
      text.replace(text.find("[0]"), 3, fmt::format("[{} + ({} & 3)]", type.count, value(node.children[0])));
      return line(fmt::format("{0}; memset(v{1}, 0, sizeof v{1});", text, node.id));
    }
    const bool by_fields =
        type.kind == Type::Kind::structure && !node.children.empty() && node.children[0].type != type;
    if (by_fields)
      return line(fmt::format("{} = {};", declared(node.id), list(node.children)));
    if (type.kind == Type::Kind::array || node.children.empty())
      return line(fmt::format("{} = {};", declared(node.id), list(node.children)));
    line(fmt::format("{} = {};", declared(node.id), condition(node.children[0])));
  }

  void allocate(const Node &node, const Type &type) {
    if (type.kind == Type::Kind::list)
      return allocate_list(node, type);
    if (type.element[0].kind == Type::Kind::pointer)
      return allocate_rows(node, type);
    const std::string element = declaration(type.element[0], "", dialect_);
    const bool zeros = node.form == Form::heap_of_zeros || node.children.empty();
    line(fmt::format("{} = ({})", declared(node.id), declaration(type, "", dialect_)) +
         (zeros ? fmt::format("calloc({}, sizeof({}));", type.count, element)
                : fmt::format("malloc({} * sizeof({}));", type.count, element)));
    heap_.push_back(node.id);
    if (!zeros)
      line(fmt::format("for (int i = 0; i < {}; ++i) v{}[i] = {};", type.count, node.id, condition(node.children[0])));
  }

  void allocate_list(const Node &node, const Type &type) {
    line(fmt::format("{} = 0;", declared(node.id)));
    heap_.push_back(node.id);
    line(fmt::format("for (int i = 0; i < {}; ++i) {{", type.count));
    ++indent_;
    push(node);
    --indent_;
    line("}");
  }

  void push(const Node &node) {
    line(fmt::format("{{ {1}first = ({1})calloc(1, sizeof *first); {2}first->next = v{0}; v{0} = first; }}", node.id,
                     pointer_to_node(node.id),
                     node.children.empty() ? "" : fmt::format("first->value = {}; ", condition(node.children[0]))));
  }

  void allocate_rows(const Node &node, const Type &type) {
    const Type &row = type.element[0];
    line(fmt::format("{} = ({})malloc({} * sizeof({}));", declared(node.id), declaration(type, "", dialect_),
                     type.count, declaration(row, "", dialect_)));
    line(fmt::format("for (int i = 0; i < {0}; ++i) v{1}[i] = ({2})calloc({3}, sizeof({4}));", type.count, node.id,
                     declaration(row, "", dialect_), row.count, declaration(row.element[0], "", dialect_)));
    heap_.push_back(node.id);
    if (!node.children.empty())
      line(fmt::format("for (int i = 0; i < {0}; ++i) for (int j = 0; j < {2}; ++j) v{1}[i][j] = {3};", type.count,
                       node.id, row.count, condition(node.children[0])));
  }

  void write_tagged(const Node &node) {
    static constexpr const char *members[] = {"d", "f", "i", "v[0]"};
    const std::string place = value(node.children[0]);
    std::string text = fmt::format("{{ {0}.tag = {1}; {0}.u.{2} = {3};", place, node.id,
                                   members[static_cast<std::size_t>(node.id)], condition(node.children[1]));
    if (node.children.size() > 2)
      text += fmt::format(" {}.u.v[1] = {};", place, condition(node.children[2]));
    line(text + " }");
  }

  void labelled_blocks(const Node &node) {
    const int blocks = static_cast<int>(node.children.size()) - 1;
    line(fmt::format("int v{} = {};", node.id, static_cast<int>(node.value)));
    enter_blocks(node, blocks);
    webs_.push_back({node.id, blocks, heap_.size()});
    for (int i = 0; i < blocks; ++i)
      body(fmt::format("l{}_{}:", node.id, i), node.children[static_cast<std::size_t>(i) + 1]);
    webs_.pop_back();
  }

  void enter_blocks(const Node &node, int blocks) {
    const std::string chosen = fmt::format("(unsigned)({}) % {}u", condition(node.children[0]), blocks);
    if (node.form == Form::computed) {
      std::string list;
      for (int i = 0; i < blocks; ++i)
        list += fmt::format("{}&&l{}_{}", i ? ", " : "", node.id, i);
      line(fmt::format("static const void *const t{}[] = {{{}}};", node.id, list));
      return line(fmt::format("goto *t{}[{}];", node.id, chosen));
    }
    if (blocks == 1 || node.children[0].operation == Operation::literal)
      return;
    line(fmt::format("switch ({}) {{", chosen));
    for (int i = 1; i < blocks; ++i)
      line(fmt::format("case {1}: goto l{0}_{1};", node.id, i));
    line("}");
  }

  void jump(const Node &node) {
    const auto web = std::find_if(webs_.begin(), webs_.end(), [&](const Web &other) { return other.id == node.id; });
    line(fmt::format("if (v{} > 0 && {}) {{", node.id, value(node.children[0])));
    ++indent_;
    line(fmt::format("--v{};", node.id));
    release_down_to(web->height);
    line(fmt::format("goto l{}_{};", node.id, static_cast<int>(node.value) % web->blocks));
    --indent_;
    line("}");
  }

  void assign(const Node &node) {
    const char *sign = node.form == Form::plus    ? "+="
                       : node.form == Form::minus ? "-="
                       : node.form == Form::times ? "*="
                                                  : "=";
    line(fmt::format("{} {} {};", value(node.children[0]), sign, condition(node.children[1])));
  }

  void count_loop(const Node &node) {
    const int step = static_cast<int>(node.value);
    const std::string from = condition(node.children[0]), to = value(node.children[1]);
    const std::string change = step == 1    ? fmt::format("++v{}", node.id)
                               : step == -1 ? fmt::format("--v{}", node.id)
                                            : fmt::format("v{} += {}", node.id, step);
    loop(fmt::format("for (int v{0} = {1}; v{0} {2} {3}; {4})", node.id, from, step > 0 ? "<" : ">", to, change),
         node.children[2]);
  }

  void walk_loop(const Node &node) {
    const std::string base = value(node.children[0]);
    loop(fmt::format("for ({0} = {1}, *end = {1} + {2}; v{3} < end; ++v{3})", declared(node.id), base,
                     node.children[0].type.count, node.id),
         node.children[1]);
  }

  void fuel_loop(const Node &node) {
    const std::string test = value(node.children[0]);
    const int fuel = static_cast<int>(node.value);
    if (node.form == Form::endless) {
      line(fmt::format("for (int v{} = {};;) {{", node.id, fuel));
      ++indent_;
      line(fmt::format("if (v{}-- <= 0 || !{}) break;", node.id, test));
      const std::size_t outer = loop_height_;
      loop_height_ = heap_.size();
      statements(node.children[1]);
      loop_height_ = outer;
      --indent_;
      return line("}");
    }
    line(fmt::format("int v{} = {};", node.id, fuel));
    if (node.form == Form::plain)
      return loop(fmt::format("while (v{}-- > 0 && {})", node.id, test), node.children[1]);
    loop("do", node.children[1]);
    line(fmt::format("while (v{}-- > 0 && {});", node.id, test));
  }

  void choose(const Node &node) {
    line(fmt::format("switch ({}) {{", condition(node.children[0])));
    const int cases = static_cast<int>(node.children.size()) - 1;
    for (int i = 0; i < cases; ++i) {
      const std::string label = i == cases - 1 ? "default:" : fmt::format("case {}:", i);
      body(label, node.children[static_cast<std::size_t>(i) + 1]);
      if ((node.id >> i & 1) == 0)
        line("break;");
    }
    line("}");
  }

  void enter_loop(const Node &node) {
    const int cases = static_cast<int>(node.children.size()) - 1;
    line(fmt::format("int v{} = {};", node.id, static_cast<int>(node.value)));
    line(fmt::format("switch ((unsigned)({}) % {}u) {{ do {{", condition(node.children[0]), cases));
    const std::size_t outer = loop_height_;
    loop_height_ = heap_.size();
    for (int i = 0; i < cases; ++i)
      body(i == cases - 1 ? "default:" : fmt::format("case {}:", i), node.children[static_cast<std::size_t>(i) + 1]);
    loop_height_ = outer;
    line(fmt::format("}} while (v{}-- > 0); }}", node.id));
  }

  void give_back(const Node &node) {
    if (node.children.empty()) {
      release_down_to(0);
      return line("return;");
    }
    if (heap_.empty())
      return line(fmt::format("return {};", condition(node.children[0])));
    line("{");
    ++indent_;
    line(fmt::format("{} = {};", declaration(function_.result, "result", dialect_), condition(node.children[0])));
    release_down_to(0);
    line("return result;");
    --indent_;
    line("}");
  }

  void copy_bits(const Node &node) {
    const std::string to = value(node.children[0]), from = value(node.children[1]);
    if (dialect_.reals == Dialect::Reals::widened)
      return line(fmt::format("{} = {};", to, from));
    const char *carrier = node.children[0].type.kind == Type::Kind::real64 ? "unsigned long long" : "unsigned";
    if (node.form == Form::by_union)
      return line(fmt::format("{{ union {{ {0} number; {1} bits; }} a, b; a.number = {2}; b.bits = a.bits; {3} = "
                              "b.number; }}",
                              declaration(node.children[0].type, "", dialect_), carrier, from, to));
    line(fmt::format("{{ {0} bits; memcpy(&bits, &{1}, sizeof bits); memcpy(&{2}, &bits, sizeof bits); }}", carrier,
                     from, to));
  }

  const Program &program_;
  const Function &function_;
  const Dialect &dialect_;
  std::string text_;
  int indent_ = 0;
  std::vector<int> heap_;       ///< What is allocated here.
  std::size_t loop_height_ = 0; ///< How much of it was there before the innermost loop's body.

  struct Web {
    int id, blocks;
    std::size_t height; ///< Of the heap before them.
  };
  std::vector<Web> webs_; ///< Labelled blocks around the current place.
};

} // namespace

std::string print(const Program &program, const Dialect &dialect) {
  std::string text = print_types(program, dialect);
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const int partner = program.functions[i].partner;
    if (partner > static_cast<int>(i))
      text += signature(program, static_cast<std::size_t>(partner), dialect) + ";\n";
    text += FunctionPrinter(program, program.functions[i], dialect).print(i);
  }
  return text;
}

std::string entry_name(const Program &program, const Dialect &dialect) {
  return fmt::format("{}f{}", dialect.prefix, program.functions.size() - 1);
}

} // namespace assay::gen::programs
