// In reverse mode the program differentiates
//
//   F = the result (if it is active) + the sum of all numbers in buffers that have a shadow, at exit
//
// whose seed is 1 everywhere: all shadows hold 1 at entry and the gradient of F at exit, whether or not the function
// writes to them. In forward mode all active inputs move with 1, and each output is compared.

#include "cli/reproducer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

std::string type_of(jit::Scalar scalar) {
  return std::string(jit::name_of(scalar));
}

/// One parameter as variables of the program: `x`, its shadow `x_shadow`, both arrays.
struct Variable {
  std::string name, type, activity;
  std::size_t count = 1;
  bool is_pointer = false, is_real = false;
  std::vector<double> values;

  bool is_constant() const { return activity == "Const"; }
  bool has_shadow() const { return activity == "Duplicated" || activity == "DuplicatedNoNeed"; }
  bool is_output() const { return is_pointer && has_shadow(); }
  /// As the function takes it from an array of this name.
  std::string passed(const std::string &array) const { return is_pointer ? array : array + "[0]"; }
};

class Program {
public:
  Program(const CheckRequest &request, const reports::Record &record) : request_(request) {
    for (std::size_t index = 0; index < request.arguments.size(); ++index) {
      const jit::ArgumentSpec &spec = request.arguments[index];
      variables_.push_back({fmt::format("a{}", index), type_of(spec.type), record.activities[index], spec.elements(),
                            spec.is_pointer(), jit::is_real(spec.type), record.inputs[index].values});
    }
    is_forward_ = record.mode == "forward";
    has_result_ = request.function.result.has_value();
    if (has_result_)
      result_type_ = request.function.result->kind == jit::ParameterType::Kind::real32 ? "float" : "double";
    result_counts_ = has_result_ && record.result_activity != "Const";
  }

  std::string write(const std::string &source) {
    for (const Variable &variable : variables_)
      is_single_ = is_single_ || variable.type == "float";
    head(source);
    inputs();
    is_forward_ ? outputs() : sum();
    declare();
    is_forward_ ? forward() : reverse();
    return std::move(text_);
  }

private:
  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts &&...parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  void head(const std::string &source) {
    line("#define main main_of_the_program\n#include \"{}\"\n#undef main", source);
    line("#include <math.h>\n#include <stdio.h>\n#include <string.h>\n");
    line("#ifdef __cplusplus\n#define CONVENTION extern \"C\"\n#else\n#define CONVENTION extern\n#endif");
    line("CONVENTION int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const_return;\n");
  }

  void inputs() {
    for (std::size_t index = 0; index < variables_.size(); ++index) {
      const Variable &variable = variables_[index];
      std::vector<std::string> values;
      for (const double value : variable.values)
        values.push_back(variable.is_real ? fmt::format("{:a}", value) : fmt::format("{:.0f}", value));
      line("static {} {}[{}] = {{{}}}; /* {} */", variable.type, variable.name, variable.count, fmt::join(values, ", "),
           request_.function.parameters[index].name);
    }
    line("");
  }

  void copies() {
    for (const Variable &variable : variables_)
      line("  {} c_{}[{}]; memcpy(c_{}, {}, sizeof {});", variable.type, variable.name, variable.count, variable.name,
           variable.name, variable.name);
  }

  std::string call_of_function() const {
    std::vector<std::string> arguments;
    for (const Variable &variable : variables_)
      arguments.push_back(variable.passed("c_" + variable.name));
    return fmt::format("{}({})", request_.function.name, fmt::join(arguments, ", "));
  }

  void sum() {
    line("static double F(void) {{");
    copies();
    line("  double sum = 0;");
    line("  {}{};", result_counts_ ? "sum += " : "", call_of_function());
    for (const Variable &variable : variables_)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) sum += c_{}[i];", variable.count, variable.name);
    line("  return sum;\n}}\n");
  }

  void outputs() {
    line("static void evaluate(double *y) {{");
    copies();
    line("  {}{};", result_counts_ ? "*y++ = " : "", call_of_function());
    for (const Variable &variable : variables_)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) *y++ = c_{}[i];", variable.count, variable.name);
    line("  (void)y;\n}}\n");
  }

  std::vector<const Variable *> returned() const {
    std::vector<const Variable *> all;
    for (const Variable &variable : variables_)
      if (variable.activity == "Active")
        all.push_back(&variable);
    return all;
  }

  void declare() {
    std::string result = "void";
    const auto all = returned();
    if (is_forward_ && result_counts_)
      result = result_type_;
    else if (!is_forward_ && all.size() == 1)
      result = all.front()->type;
    else if (!is_forward_ && all.size() > 1) {
      line("struct gradient {{");
      for (const Variable *variable : all)
        line("  {} {};", variable->type, variable->name);
      line("}};");
      result = "struct gradient";
    }
    gradient_type_ = result;
    std::vector<std::string> types = {"void *"};
    if (has_result_ && !result_counts_)
      types.emplace_back("int");
    for (const Variable &variable : variables_) {
      const std::string type = variable.type + (variable.is_pointer ? " *" : "");
      types.emplace_back("int");
      types.push_back(type);
      if (variable.has_shadow())
        types.push_back(type);
    }
    line("CONVENTION {} {}({});\n", result, derivative_name(), fmt::join(types, ", "));
    line("static int wrong;");
    line("static void compare(const char *name, int i, double ad, double difference) {{");
    line("  const double size = fabs(ad) > fabs(difference) ? fabs(ad) : fabs(difference);");
    line("  const int differs = !(fabs(ad - difference) <= {} * (1 + size));", is_single_ ? "2e-2" : "1e-5");
    line("  wrong += differs;");
    line(
        R"(  printf("%s[%d]  AD %.15g  central difference %.15g%s\n", name, i, ad, difference, differs ? "  WRONG" : "");)");
    line("}}\n");
  }

  std::string derivative_name() const {
    return is_forward_ ? "__enzyme_fwddiff_reproduced" : "__enzyme_autodiff_reproduced";
  }

  std::string call_of_derivative() const {
    std::vector<std::string> arguments = {"(void *)" + request_.function.name};
    if (has_result_ && !result_counts_)
      arguments.emplace_back("enzyme_const_return");
    for (const Variable &variable : variables_) {
      arguments.emplace_back(variable.is_constant()                    ? "enzyme_const"
                             : variable.activity == "Active"           ? "enzyme_out"
                             : variable.activity == "DuplicatedNoNeed" ? "enzyme_dupnoneed"
                                                                       : "enzyme_dup");
      arguments.push_back(variable.passed("c_" + variable.name));
      if (variable.has_shadow())
        arguments.push_back(variable.passed("s_" + variable.name));
    }
    return fmt::format("{}({})", derivative_name(), fmt::join(arguments, ", "));
  }

  void shadows() {
    copies();
    for (const Variable &variable : variables_)
      if (variable.has_shadow())
        line("  {} s_{}[{}]; for (int i = 0; i < {}; ++i) s_{}[i] = 1;", variable.type, variable.name, variable.count,
             variable.count, variable.name);
  }

  const char *step() const { return is_single_ ? "0x1p-7" : "0x1p-17"; }

  void reverse() {
    line("int main(void) {{");
    shadows();
    const auto all = returned();
    line("  {}{};", all.empty() ? "" : gradient_type_ + " g = ", call_of_derivative());
    for (std::size_t index = 0; index < variables_.size(); ++index) {
      const Variable &variable = variables_[index];
      if (variable.is_constant() || !variable.is_real)
        continue;
      const std::string value = variable.has_shadow() ? fmt::format("s_{}[i]", variable.name)
                                : all.size() == 1     ? std::string("g")
                                                      : "g." + variable.name;
      line("  for (int i = 0; i < {}; ++i) {{", variable.count);
      line("    const {} x = {}[i], h = {} * (1 + fabs(x));", variable.type, variable.name, step());
      line("    {}[i] = x + h;\n    const double up = F(), high = {}[i];", variable.name, variable.name);
      line("    {}[i] = x - h;\n    const double down = F(), low = {}[i];", variable.name, variable.name);
      line("    {}[i] = x;", variable.name);
      line("    compare(\"{}\", i, {}, (up - down) / (high - low));\n  }}", request_.function.parameters[index].name,
           value);
    }
    line("  return wrong != 0;\n}}");
  }

  void forward() {
    std::size_t count = result_counts_ ? 1 : 0;
    for (const Variable &variable : variables_)
      count += variable.is_output() ? variable.count : 0;
    line("static void move(double t) {{");
    for (const Variable &variable : variables_)
      if (!variable.is_constant())
        line("  for (int i = 0; i < {}; ++i) {}[i] += t;", variable.count, variable.name);
    line("}}\n\nint main(void) {{");
    shadows();
    line("  {}{};", result_counts_ ? fmt::format("const {} tangent = ", result_type_) : "", call_of_derivative());
    line("  double up[{}], down[{}], h = {};", count, count, step());
    line("  move(h);\n  evaluate(up);\n  move(-2 * h);\n  evaluate(down);");
    std::size_t position = 0;
    if (result_counts_) {
      line("  compare(\"result\", 0, tangent, (up[0] - down[0]) / (2 * h));");
      ++position;
    }
    for (std::size_t index = 0; index < variables_.size(); ++index) {
      const Variable &variable = variables_[index];
      if (!variable.is_output())
        continue;
      line("  for (int i = 0; i < {}; ++i)", variable.count);
      line("    compare(\"{}\", i, s_{}[i], (up[{} + i] - down[{} + i]) / (2 * h));",
           request_.function.parameters[index].name, variable.name, position, position);
      position += variable.count;
    }
    line("  return wrong != 0;\n}}");
  }

  const CheckRequest &request_;
  std::vector<Variable> variables_;
  std::string text_, result_type_, gradient_type_;
  bool is_forward_ = false, has_result_ = false, result_counts_ = false, is_single_ = false;
};

/// A name that a C or C++ program can write.
bool can_be_written(const CheckRequest &request) {
  const std::string &name = request.function.name;
  return !name.empty() && name.find_first_of("(<$. {") == std::string::npos && !name.starts_with("_Z");
}

} // namespace

std::optional<std::string> reproducer_program(const CheckRequest &request, const reports::Record &record,
                                              const std::string &source) {
  const jit::Language language = jit::language_of(request.file);
  if (language != jit::Language::c && language != jit::Language::cpp)
    return std::nullopt;
  const bool plain = record.width == 1 && !record.split && !record.runtime_activity;
  if (!plain || !can_be_written(request) || !can_be_reproduced(record))
    return std::nullopt;
  return Program(request, record).write(source);
}

} // namespace assay::cli
