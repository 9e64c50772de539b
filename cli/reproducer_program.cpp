// In reverse mode the program differentiates, in each lane,
//
//   F = w[0] * the result (if it is active) + the sum of w[i] * all numbers in buffers that have a shadow, at exit
//
// with weights w that differ from lane to lane: all shadows hold them at entry and the gradient of F at exit, whether
// or not the function writes to them. In forward mode all active inputs move with such weights, and each output is
// compared. Between two functions the memory that was passed is filled with NaNs, and the shadows are filled.

#include "cli/convention_text.hpp"
#include "cli/cpp_adapter.hpp"
#include "cli/reproduced_call.hpp"
#include "cli/reproducer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

using Words = std::vector<std::string>;
using Variable = ReproducedVariable;

class ReproducerWriter {
public:
  explicit ReproducerWriter(const ReproducedCall &call) : call_(call), derivative_(call) {}

  std::string write(const std::string &source) {
    head(source);
    inputs();
    evaluate();
    comparison();
    text_ += derivative_.declarations() + "\n";
    call_.is_forward ? forward() : reverse();
    return std::move(text_);
  }

private:
  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts &&...parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  void head(const std::string &source) {
    line("#define main main_of_the_program\n#include \"{}\"\n#undef main", source);
    line("{}#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n",
         call_.loses_memory ? "#include <malloc.h>\n" : "");
    line("#ifdef __cplusplus\n#define CONVENTION extern \"C\"\n#else\n#define CONVENTION extern\n#endif");
    line("CONVENTION int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const_return, enzyme_noret;");
    line("CONVENTION int enzyme_width, enzyme_runtime_activity, enzyme_seed;\n");
    line("/* Another number for each lane and element: seeds and tangents. */");
    line("static double assay_weight(int lane, int i) {{ return 1 + 0.25 * lane + 0.125 * (i % 5); }}\n");
  }

  void inputs() {
    for (const Variable &variable : call_.variables) {
      Words values;
      for (const double value : variable.values)
        values.push_back(variable.is_real ? fmt::format("{:a}", value) : fmt::format("{:.0f}", value));
      line("static {} {}[{}] = {{{}}}; /* {} */", variable.type, variable.name, variable.count, fmt::join(values, ", "),
           variable.title);
    }
    line("");
  }

  void copies() {
    for (const Variable &variable : call_.variables)
      line("  {} c_{}[{}]; memcpy(c_{}, {}, sizeof {});", variable.type, variable.name, variable.count, variable.name,
           variable.name, variable.name);
  }

  std::string call_of_function() const {
    Words arguments;
    for (const auto &[index, offset] : call_.passed)
      arguments.push_back(call_.variables[index].passed("c_" + call_.variables[index].name, offset));
    return fmt::format("{}({})", call_.function, fmt::join(arguments, ", "));
  }

  std::size_t outputs() const {
    std::size_t count = 1;
    for (const Variable &variable : call_.variables)
      count += variable.is_output() ? variable.count : 0;
    return count;
  }

  /// The result comes first, as zero where it does not count.
  void evaluate() {
    line("static void assay_evaluate(double *assay_y) {{");
    copies();
    line("  {}{};", call_.result_counts ? "*assay_y++ = " : "", call_of_function());
    if (!call_.result_counts)
      line("  *assay_y++ = 0;");
    for (const Variable &variable : call_.variables)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) *assay_y++ = c_{}[i];", variable.count, variable.name);
    line("  (void)assay_y;\n}}\n");
    if (call_.is_forward)
      return;
    line("static double assay_F(int lane) {{\n  double y[{}], sum = 0;\n  int k = 0;\n  assay_evaluate(y);", outputs());
    line("  sum += assay_weight(lane, 0) * y[k++];");
    for (const Variable &variable : call_.variables)
      if (variable.is_output())
        line("  for (int i = 0; i < {}; ++i) sum += assay_weight(lane, {} + i) * y[k++];", variable.count,
             variable.first_weight);
    line("  return sum;\n}}\n");
  }

  void comparison() {
    line("static int assay_wrong;");
    line("static void assay_compare(const char *name, int i, int lane, double ad, double difference) {{");
    line("  const double size = fabs(ad) > fabs(difference) ? fabs(ad) : fabs(difference);");
    line("  const int differs = !(fabs(ad - difference) <= {} * (1 + size));", differences().tolerance);
    line("  assay_wrong += differs;");
    line("  printf(\"%s[%d]\", name, i);");
    if (call_.width > 1)
      line("  printf(\" (lane %d)\", lane);");
    line(R"(  printf("  AD %.15g  central difference %.15g%s\n", ad, difference, differs ? "  WRONG" : "");)");
    line("  (void)lane;\n}}\n");
    line("/* The contents of memory after the derivative beside those after the function. */");
    line("static void assay_compare_contents(const char *name, int i, double seen, double expected) {{");
    line("  const int differs = !(seen == expected || (seen != seen && expected != expected));");
    line("  assay_wrong += differs;");
    line(
        R"(  if (differs) printf("%s[%d] holds %.15g after the derivative, %.15g after the function  WRONG\n", name, i, )"
        R"(seen, expected);)");
    line("}}\n");
  }

  // ---- The derivative ----

  void declare_shadows() {
    for (const Variable &variable : call_.variables)
      if (variable.has_shadow())
        line("  {} s_{}[{}][{}];", variable.type, variable.name, call_.width, variable.count);
  }

  void fill_shadows() {
    for (const Variable &variable : call_.variables)
      if (variable.has_shadow())
        line("  for (int l = 0; l < {}; ++l)\n    for (int i = 0; i < {}; ++i) s_{}[l][i] = ({})assay_weight(l, {} + "
             "i);",
             call_.width, variable.count, variable.name, variable.type, variable.first_weight);
  }

  void call_derivative() {
    if (!call_.is_split) {
      fill_shadows();
      line("  {};", derivative_.derivative());
      compare_with_function();
      return;
    }
    for (const Variable &variable : call_.variables)
      if (variable.has_shadow())
        line("  memset(s_{0}, 0xff, sizeof s_{0}); /* Filled when the augmented primal has returned. */",
             variable.name);
    line("  void *assay_tape = {};", derivative_.augmented_primal());
    compare_with_function();
    for (const Variable &variable : call_.variables)
      if (variable.is_pointer)
        line("  memset(c_{0}, 0xff, sizeof c_{0}); /* Its caller may use it for something else. */", variable.name);
    fill_shadows();
    line("  {};", derivative_.derivative());
  }

  /// A cache grows at the first call; what grows by the same again and again is lost.
  void watch_heap() {
    if (!call_.loses_memory)
      return;
    line("  size_t assay_held[3];\n  for (int assay_round = 0; assay_round < 3; ++assay_round) {{");
    copies();
    declare_shadows();
    call_derivative();
    line("  assay_held[assay_round] = mallinfo2().uordblks;\n  }}");
    line("  if (assay_held[2] > assay_held[1] && assay_held[2] - assay_held[1] == assay_held[1] - assay_held[0]) {{\n  "
         "  ++assay_wrong;");
    line(
        R"(    printf("each call of the derivative leaves %zu bytes on the heap  WRONG\n", assay_held[2] - assay_held[1]);)");
    line("  }}");
  }

  void compare_with_function() {
    line("  {{");
    for (const Variable &variable : call_.variables)
      line("    {0} after_{1}[{2}]; memcpy(after_{1}, c_{1}, sizeof after_{1});", variable.type, variable.name,
           variable.count);
    for (const Variable &variable : call_.variables)
      line("    memcpy(c_{0}, {0}, sizeof {0});", variable.name);
    line("    {};", call_of_function());
    for (const Variable &variable : call_.variables)
      if (variable.is_pointer && variable.activity != "DuplicatedNoNeed")
        line("    for (int i = 0; i < {}; ++i) assay_compare_contents(\"{}\", i, after_{}[i], c_{}[i]);",
             variable.count, variable.title, variable.name, variable.name);
    line("  }}");
  }

  // ---- The differences: of fourth order ----

  /// The coarser the numbers, the longer the steps and the larger what rounding leaves.
  struct Differences {
    const char *step, *tolerance;
  };
  Differences differences() const {
    switch (call_.coarsest) {
    case jit::Scalar::brain16:
      return {"0x1p-3", "0.15"};
    case jit::Scalar::real16:
      return {"0x1p-4", "0.06"};
    case jit::Scalar::real32:
      return {"0x1p-6", "2e-2"};
    default:
      return {"0x1p-10", "1e-6"};
    }
  }
  const char *step() const { return differences().step; }

  void reverse() {
    line("int main(void) {{");
    watch_heap();
    copies();
    declare_shadows();
    call_derivative();
    for (const Variable &variable : call_.variables) {
      if (variable.is_constant() || !variable.is_real)
        continue;
      if (!variable.has_shadow()) {
        Words adjoints;
        for (unsigned lane = 0; lane < call_.width; ++lane)
          adjoints.push_back(derivative_.returned(fmt::format("{}_{}", variable.name, lane)));
        line("  const {} s_{}[{}][1] = {{{{{}}}}};", variable.type, variable.name, call_.width,
             fmt::join(adjoints, "}, {"));
      }
      line("  for (int l = 0; l < {}; ++l)\n    for (int i = 0; i < {}; ++i) {{", call_.width, variable.count);
      line("      const {} x = {}[i], h = {} * (1 + fabs(x));", variable.type, variable.name, step());
      line("      double f[5];");
      line("      for (int k = -2; k <= 2; ++k) {{ {}[i] = x + k * h; f[k + 2] = assay_F(l); }}", variable.name);
      line("      {}[i] = x;", variable.name);
      line("      assay_compare(\"{}\", i, l, s_{}[l][i], (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * (double)h));\n   "
           " }}",
           variable.title, variable.name);
    }
    line("  return assay_wrong != 0;\n}}");
  }

  void forward() {
    line("static void assay_move(int lane, double t) {{");
    for (const Variable &variable : call_.variables)
      if (!variable.is_constant())
        line("  for (int i = 0; i < {}; ++i) {}[i] += t * assay_weight(lane, {} + i);", variable.count, variable.name,
             variable.first_weight);
    line("  (void)lane, (void)t;\n}}\n\nint main(void) {{");
    watch_heap();
    copies();
    declare_shadows();
    call_derivative();
    for (const Variable &variable : call_.variables)
      line("  {0} o_{1}[{2}]; memcpy(o_{1}, {1}, sizeof {1});", variable.type, variable.name, variable.count);
    if (call_.result_counts) {
      Words tangents;
      for (unsigned lane = 0; lane < call_.width; ++lane)
        tangents.push_back(derivative_.returned(fmt::format("tangent_{}", lane)));
      line("  const double tangents[{}] = {{{}}};", call_.width, fmt::join(tangents, ", "));
    }
    line("  for (int l = 0; l < {}; ++l) {{\n    double f[5][{}], h = {};", call_.width, outputs(), step());
    line("    for (int k = -2; k <= 2; ++k) {{\n      assay_move(l, k * h);\n      assay_evaluate(f[k + 2]);");
    for (const Variable &variable : call_.variables)
      line("      memcpy({0}, o_{0}, sizeof {0});", variable.name);
    line("    }}\n#define DIFFERENCE(k) ((f[0][k] - 8 * f[1][k] + 8 * f[3][k] - f[4][k]) / (12 * h))");
    if (call_.result_counts)
      line("    assay_compare(\"result\", 0, l, tangents[l], DIFFERENCE(0));");
    std::size_t position = 1;
    for (const Variable &variable : call_.variables) {
      if (!variable.is_output())
        continue;
      line("    for (int i = 0; i < {}; ++i) assay_compare(\"{}\", i, l, s_{}[l][i], DIFFERENCE({} + i));",
           variable.count, variable.title, variable.name, position);
      position += variable.count;
    }
    line("  }}\n  return assay_wrong != 0;\n}}");
  }

  const ReproducedCall &call_;
  const ConventionText derivative_;
  std::string text_;
};

/// The function as a C or C++ program writes it; empty where it cannot.
std::string written_name(const CheckRequest &request) {
  if (!request.adapter.empty())
    return adapter_symbol;
  if (request.function.linkage_name.starts_with(jit::members_prefix))
    return {}; // Of a struct without a name.
  std::string name = request.function.name;
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  return name.find_first_of("(<$. {") == std::string::npos && !name.starts_with("_Z") ? name : std::string();
}

/// One activity and one list of values for each parameter.
bool is_complete(const reports::Record &record) {
  return record.inputs.size() == record.parameters.size() && record.activities.size() == record.parameters.size();
}

} // namespace

std::optional<std::string> reproducer_program(const CheckRequest &request, const reports::Record &record,
                                              const std::string &source) {
  const jit::Language language = jit::language_of(request.file);
  if (language != jit::Language::c && language != jit::Language::cpp)
    return std::nullopt;
  const std::string name = written_name(request);
  if (name.empty() || !is_complete(record))
    return std::nullopt;
  jit::SharedCall shared = jit::join_aliases(request.function, request.arguments);
  shared.function.name = name;
  const ReproducedCall call = reproduced_call(shared, record);
  return ReproducerWriter(call).write(source);
}

} // namespace assay::cli
