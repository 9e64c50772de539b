// In reverse mode the program differentiates, in each lane,
//
//   F = w[0] * the result (if it is active) + the sum of w[i] * all numbers in buffers that have a shadow, at exit
//
// with weights w that differ from lane to lane: all shadows hold them at entry and the gradient of F at exit, whether
// or not the function writes to them. In forward mode all active inputs move with such weights, and each output is
// compared. Between two functions the memory that was passed is filled with NaNs, and the shadows are filled.

#include "cli/reproducer.hpp"

#include "core/jit/shared_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

using Words = std::vector<std::string>;

std::string type_of(jit::Scalar scalar) {
  return std::string(jit::name_of(scalar));
}

/// One parameter as variables of the program: `a0`, which the derivative gets as `c_a0` with the shadows `s_a0`, one
/// row for each lane.
struct Variable {
  std::string name, title, type, activity;
  std::size_t count = 1;
  bool is_pointer = false, is_real = false;
  std::vector<double> values;
  std::size_t first_weight = 0;

  bool is_constant() const { return activity == "Const"; }
  bool is_active() const { return activity == "Active"; }
  bool has_shadow() const { return activity == "Duplicated" || activity == "DuplicatedNoNeed"; }
  bool is_output() const { return is_pointer && has_shadow(); }
  /// As the function takes it from an array of this name, memory from an element on.
  std::string passed(const std::string &array, std::size_t offset) const {
    if (!is_pointer)
      return array + "[0]";
    return offset == 0 ? array : fmt::format("{} + {}", array, offset);
  }
};

/// A parameter of the function: memory of a variable from an element on.
struct Passed {
  std::size_t variable = 0, offset = 0;
};

class Program {
public:
  /// Parameters that share memory are one variable.
  Program(const jit::SharedCall &request, const reports::Record &record)
      : function_(request.function.name), width_(record.width), is_forward_(record.mode == "forward"),
        is_split_(record.split), is_runtime_activity_(record.runtime_activity),
        has_result_(request.function.result.has_value()) {
    std::size_t weights = 1;
    for (std::size_t index = 0; index < request.arguments.size(); ++index) {
      const jit::ArgumentSpec &spec = request.arguments[index];
      variables_.push_back({fmt::format("a{}", index), request.function.parameters[index].name, type_of(spec.type),
                            record.activities[index], spec.elements(), spec.is_pointer(), jit::is_real(spec.type),
                            record.inputs[index].values, weights});
      weights += spec.elements();
      is_single_ = is_single_ || variables_.back().type == "float";
      if (request.function.passed.empty())
        passed_.push_back({index, 0});
    }
    for (const auto &[parameter, offset] : request.function.passed)
      passed_.push_back({parameter, offset / jit::size_of(request.arguments[parameter].type)});
    if (has_result_)
      result_type_ = request.function.result->kind == jit::ParameterType::Kind::real32 ? "float" : "double";
    result_counts_ = has_result_ && record.result_activity != "Const";
    is_single_ = is_single_ || result_type_ == "float";
    loses_memory_ = record.verdict == testutils::name_of(testutils::Verdict::wrong_release);
  }

  std::string write(const std::string &source) {
    head(source);
    inputs();
    evaluate();
    comparison();
    declare_derivative();
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
    line("{}#include <math.h>\n#include <stdio.h>\n#include <string.h>\n",
         loses_memory_ ? "#include <malloc.h>\n" : "");
    line("#ifdef __cplusplus\n#define CONVENTION extern \"C\"\n#else\n#define CONVENTION extern\n#endif");
    line("CONVENTION int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const_return, enzyme_noret;");
    line("CONVENTION int enzyme_width, enzyme_runtime_activity, enzyme_seed;\n");
    line("/* Another number for each lane and element: seeds and tangents. */");
    line("static double weight(int lane, int i) {{ return 1 + 0.25 * lane + 0.125 * (i % 5); }}\n");
  }

  void inputs() {
    for (const Variable &variable : variables_) {
      Words values;
      for (const double value : variable.values)
        values.push_back(variable.is_real ? fmt::format("{:a}", value) : fmt::format("{:.0f}", value));
      line("static {} {}[{}] = {{{}}}; /* {} */", variable.type, variable.name, variable.count, fmt::join(values, ", "),
           variable.title);
    }
    line("");
  }

  void copies() {
    for (const Variable &variable : variables_)
      line("  {} c_{}[{}]; memcpy(c_{}, {}, sizeof {});", variable.type, variable.name, variable.count, variable.name,
           variable.name, variable.name);
  }

  std::string call_of_function() const {
    Words arguments;
    for (const auto &[index, offset] : passed_)
      arguments.push_back(variables_[index].passed("c_" + variables_[index].name, offset));
    return fmt::format("{}({})", function_, fmt::join(arguments, ", "));
  }

  std::size_t outputs() const {
    std::size_t count = 1;
    for (const Variable &variable : variables_)
      count += variable.is_output() ? variable.count : 0;
    return count;
  }

  /// The result comes first, as zero where it does not count.
  void evaluate() {
    line("static void evaluate(double *y) {{");
    copies();
    line("  {}{};", result_counts_ ? "*y++ = " : "", call_of_function());
    if (!result_counts_)
      line("  *y++ = 0;");
    for (const Variable &variable : variables_)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) *y++ = c_{}[i];", variable.count, variable.name);
    line("  (void)y;\n}}\n");
    if (is_forward_)
      return;
    line("static double F(int lane) {{\n  double y[{}], sum = 0;\n  int k = 0;\n  evaluate(y);", outputs());
    line("  sum += weight(lane, 0) * y[k++];");
    for (const Variable &variable : variables_)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) sum += weight(lane, {} + i) * y[k++];", variable.count,
             variable.first_weight);
    line("  return sum;\n}}\n");
  }

  void comparison() {
    line("static int wrong;");
    line("static void compare(const char *name, int i, int lane, double ad, double difference) {{");
    line("  const double size = fabs(ad) > fabs(difference) ? fabs(ad) : fabs(difference);");
    line("  const int differs = !(fabs(ad - difference) <= {} * (1 + size));", is_single_ ? "2e-2" : "1e-6");
    line("  wrong += differs;");
    line("  printf(\"%s[%d]\", name, i);");
    if (width_ > 1)
      line("  printf(\" (lane %d)\", lane);");
    line(R"(  printf("  AD %.15g  central difference %.15g%s\n", ad, difference, differs ? "  WRONG" : "");)");
    line("  (void)lane;\n}}\n");
    line("/* What the derivative leaves in memory beside what the function leaves there. */");
    line("static void compare_contents(const char *name, int i, double seen, double expected) {{");
    line("  const int differs = !(seen == expected || (seen != seen && expected != expected));");
    line("  wrong += differs;");
    line(
        R"(  if (differs) printf("%s[%d] holds %.15g after the derivative, %.15g after the function  WRONG\n", name, i, )"
        R"(seen, expected);)");
    line("}}\n");
  }

  // ---- The derivative ----

  std::vector<const Variable *> returned() const {
    std::vector<const Variable *> all;
    for (const Variable &variable : variables_)
      if (variable.is_active())
        all.push_back(&variable);
    return all;
  }

  /// Of what the derivative returns: type and name, in order.
  std::vector<std::pair<std::string, std::string>> returned_numbers() const {
    std::vector<std::pair<std::string, std::string>> numbers;
    for (unsigned lane = 0; lane < width_ && is_forward_ && result_counts_; ++lane)
      numbers.emplace_back(result_type_, fmt::format("tangent_{}", lane));
    for (const Variable *variable : is_forward_ ? std::vector<const Variable *>() : returned())
      for (unsigned lane = 0; lane < width_; ++lane)
        numbers.emplace_back(variable->type, fmt::format("{}_{}", variable->name, lane));
    return numbers;
  }

  /// How to write one of these.
  std::string returned_number(const std::string &name) const {
    return returned_numbers().size() == 1 ? "g" : "g." + name;
  }

  void declare_derivative() {
    const auto numbers = returned_numbers();
    gradient_type_ = numbers.empty() ? "void" : numbers.front().first;
    if (numbers.size() > 1) {
      line("struct gradient {{");
      for (const auto &[type, name] : numbers)
        line("  {} {};", type, name);
      line("}};");
      gradient_type_ = "struct gradient";
    }
    if (is_split_) {
      declare("void *", "__enzyme_augmentfwd_reproduced", {has_result_ ? "int" : ""}, {});
      Words behind(seeds() ? width_ : 0, result_type_);
      behind.emplace_back("void *");
      declare(gradient_type_, "__enzyme_reverse_reproduced", {}, behind);
    } else {
      Words behind;
      if (seeds()) {
        behind.emplace_back("int");
        behind.insert(behind.end(), width_, result_type_);
      }
      declare(gradient_type_, is_forward_ ? "__enzyme_fwddiff_reproduced" : "__enzyme_autodiff_reproduced", {}, behind);
    }
    line("");
  }

  bool seeds() const { return !is_forward_ && result_counts_; }

  void declare(const std::string &result, const char *name, const Words &before, const Words &behind) {
    Words types = {"void *"};
    for (const std::string &type : before)
      if (!type.empty())
        types.push_back(type);
    if (width_ > 1)
      types.insert(types.end(), {"int", "int"});
    if (is_runtime_activity_)
      types.emplace_back("int");
    if (has_result_ && !result_counts_)
      types.emplace_back("int");
    for (const Passed &passed : passed_) {
      const Variable &variable = variables_[passed.variable];
      const std::string type = variable.type + (variable.is_pointer ? " *" : "");
      types.emplace_back("int");
      types.insert(types.end(), variable.has_shadow() ? 1 + width_ : 1, type);
    }
    types.insert(types.end(), behind.begin(), behind.end());
    line("CONVENTION {} {}({});", result, name, fmt::join(types, ", "));
  }

  std::string call_of(const char *name, const Words &before, const Words &behind) const {
    Words arguments = {"(void *)" + function_};
    arguments.insert(arguments.end(), before.begin(), before.end());
    if (width_ > 1)
      arguments.insert(arguments.end(), {"enzyme_width", std::to_string(width_)});
    if (is_runtime_activity_)
      arguments.emplace_back("enzyme_runtime_activity");
    if (has_result_ && !result_counts_)
      arguments.emplace_back("enzyme_const_return");
    for (const auto &[index, offset] : passed_) {
      const Variable &variable = variables_[index];
      arguments.emplace_back(marker_of(variable));
      arguments.push_back(variable.passed("c_" + variable.name, offset));
      for (unsigned lane = 0; lane < width_ && variable.has_shadow(); ++lane)
        arguments.push_back(variable.passed(fmt::format("s_{}[{}]", variable.name, lane), offset));
    }
    arguments.insert(arguments.end(), behind.begin(), behind.end());
    return fmt::format("{}({})", name, fmt::join(arguments, ", "));
  }

  static const char *marker_of(const Variable &variable) {
    if (variable.is_constant())
      return "enzyme_const";
    if (variable.is_active())
      return "enzyme_out";
    return variable.activity == "DuplicatedNoNeed" ? "enzyme_dupnoneed" : "enzyme_dup";
  }

  Words seed_arguments() const {
    Words arguments;
    for (unsigned lane = 0; lane < width_ && seeds(); ++lane)
      arguments.push_back(fmt::format("({})weight({}, 0)", result_type_, lane));
    return arguments;
  }

  void declare_shadows() {
    for (const Variable &variable : variables_)
      if (variable.has_shadow())
        line("  {} s_{}[{}][{}];", variable.type, variable.name, width_, variable.count);
  }

  void fill_shadows() {
    for (const Variable &variable : variables_)
      if (variable.has_shadow())
        line("  for (int l = 0; l < {}; ++l)\n    for (int i = 0; i < {}; ++i) s_{}[l][i] = ({})weight(l, {} + i);",
             width_, variable.count, variable.name, variable.type, variable.first_weight);
  }

  void call_derivative() {
    const std::string takes = gradient_type_ == "void" ? "" : gradient_type_ + " g = ";
    Words behind = seed_arguments();
    if (!is_split_) {
      if (seeds())
        behind.insert(behind.begin(), "enzyme_seed");
      fill_shadows();
      const char *name = is_forward_ ? "__enzyme_fwddiff_reproduced" : "__enzyme_autodiff_reproduced";
      line("  {}{};", takes, call_of(name, {}, behind));
      compare_with_function();
      return;
    }
    for (const Variable &variable : variables_)
      if (variable.has_shadow())
        line("  memset(s_{0}, 0xff, sizeof s_{0}); /* Filled when the augmented primal has returned. */",
             variable.name);
    line("  void *tape = {};",
         call_of("__enzyme_augmentfwd_reproduced", {has_result_ ? Words{"enzyme_noret"} : Words()}, {}));
    compare_with_function();
    for (const Variable &variable : variables_)
      if (variable.is_pointer)
        line("  memset(c_{0}, 0xff, sizeof c_{0}); /* Its caller may use it for something else. */", variable.name);
    fill_shadows();
    behind.emplace_back("tape");
    line("  {}{};", takes, call_of("__enzyme_reverse_reproduced", {}, behind));
  }

  /// A cache grows at the first call; what grows by the same again and again is lost.
  void watch_heap() {
    if (!loses_memory_)
      return;
    line("  size_t held[3];\n  for (int round = 0; round < 3; ++round) {{");
    copies();
    declare_shadows();
    call_derivative();
    line("  held[round] = mallinfo2().uordblks;\n  }}");
    line("  if (held[2] > held[1] && held[2] - held[1] == held[1] - held[0]) {{\n    ++wrong;");
    line(R"(    printf("each call of the derivative leaves %zu bytes on the heap  WRONG\n", held[2] - held[1]);)");
    line("  }}");
  }

  void compare_with_function() {
    line("  {{");
    for (const Variable &variable : variables_)
      line("    {0} after_{1}[{2}]; memcpy(after_{1}, c_{1}, sizeof after_{1});", variable.type, variable.name,
           variable.count);
    for (const Variable &variable : variables_)
      line("    memcpy(c_{0}, {0}, sizeof {0});", variable.name);
    line("    {};", call_of_function());
    for (const Variable &variable : variables_)
      if (variable.is_pointer && variable.activity != "DuplicatedNoNeed")
        line("    for (int i = 0; i < {}; ++i) compare_contents(\"{}\", i, after_{}[i], c_{}[i]);", variable.count,
             variable.title, variable.name, variable.name);
    line("  }}");
  }

  // ---- The differences: of fourth order ----

  const char *step() const { return is_single_ ? "0x1p-6" : "0x1p-10"; }

  void reverse() {
    line("int main(void) {{");
    watch_heap();
    copies();
    declare_shadows();
    call_derivative();
    for (const Variable &variable : variables_) {
      if (variable.is_constant() || !variable.is_real)
        continue;
      if (!variable.has_shadow()) {
        Words adjoints;
        for (unsigned lane = 0; lane < width_; ++lane)
          adjoints.push_back(returned_number(fmt::format("{}_{}", variable.name, lane)));
        line("  const {} s_{}[{}][1] = {{{{{}}}}};", variable.type, variable.name, width_, fmt::join(adjoints, "}, {"));
      }
      line("  for (int l = 0; l < {}; ++l)\n    for (int i = 0; i < {}; ++i) {{", width_, variable.count);
      line("      const {} x = {}[i], h = {} * (1 + fabs(x));", variable.type, variable.name, step());
      line("      double f[5];");
      line("      for (int k = -2; k <= 2; ++k) {{ {}[i] = x + k * h; f[k + 2] = F(l); }}", variable.name);
      line("      {}[i] = x;", variable.name);
      line("      compare(\"{}\", i, l, s_{}[l][i], (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * (double)h));\n    }}",
           variable.title, variable.name);
    }
    line("  return wrong != 0;\n}}");
  }

  void forward() {
    line("static void move(int lane, double t) {{");
    for (const Variable &variable : variables_)
      if (!variable.is_constant())
        line("  for (int i = 0; i < {}; ++i) {}[i] += t * weight(lane, {} + i);", variable.count, variable.name,
             variable.first_weight);
    line("  (void)lane, (void)t;\n}}\n\nint main(void) {{");
    watch_heap();
    copies();
    declare_shadows();
    call_derivative();
    for (const Variable &variable : variables_)
      line("  {0} o_{1}[{2}]; memcpy(o_{1}, {1}, sizeof {1});", variable.type, variable.name, variable.count);
    if (result_counts_) {
      Words tangents;
      for (unsigned lane = 0; lane < width_; ++lane)
        tangents.push_back(returned_number(fmt::format("tangent_{}", lane)));
      line("  const double tangents[{}] = {{{}}};", width_, fmt::join(tangents, ", "));
    }
    line("  for (int l = 0; l < {}; ++l) {{\n    double f[5][{}], h = {};", width_, outputs(), step());
    line("    for (int k = -2; k <= 2; ++k) {{\n      move(l, k * h);\n      evaluate(f[k + 2]);");
    for (const Variable &variable : variables_)
      line("      memcpy({0}, o_{0}, sizeof {0});", variable.name);
    line("    }}\n#define DIFFERENCE(k) ((f[0][k] - 8 * f[1][k] + 8 * f[3][k] - f[4][k]) / (12 * h))");
    if (result_counts_)
      line("    compare(\"result\", 0, l, tangents[l], DIFFERENCE(0));");
    std::size_t position = 1;
    for (const Variable &variable : variables_) {
      if (!variable.is_output())
        continue;
      line("    for (int i = 0; i < {}; ++i) compare(\"{}\", i, l, s_{}[l][i], DIFFERENCE({} + i));", variable.count,
           variable.title, variable.name, position);
      position += variable.count;
    }
    line("  }}\n  return wrong != 0;\n}}");
  }

  const std::string function_;
  const unsigned width_;
  const bool is_forward_, is_split_, is_runtime_activity_, has_result_;
  std::vector<Variable> variables_;
  std::vector<Passed> passed_;
  std::string text_, result_type_, gradient_type_;
  bool result_counts_ = false, is_single_ = false, loses_memory_ = false;
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
  if (!can_be_written(request) || !can_be_reproduced(record))
    return std::nullopt;
  return Program(jit::join_aliases(request.function, request.arguments), record).write(source);
}

} // namespace assay::cli
