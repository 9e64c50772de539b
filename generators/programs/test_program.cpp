#include "generators/programs/test_program.hpp"

#include "generators/programs/inputs.hpp"
#include "generators/programs/print.hpp"
#include "generators/programs/wide_vectors.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::gen::programs {

namespace {

constexpr const char *headers = R"(#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
)";

constexpr const char *subject_type = R"(
struct subject {
  int inputs, outputs, has_floats, has_mode;
  const double *at, *weights;
  void (*direct)(const double *in, double *out);
  void (*reverse)(const double *in, const double *seed, double *out, double *gradient);
  void (*forward)(const double *in, const double *direction, double *out, double *tangent);
  void (*other)(const double *in, const double *seed, const double *direction, double *out, double *derivative);
  void (*wide)(const long double *in, long double *out);
  const char *mode;
};
)";

constexpr const char *convention = R"(
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_primal_return, enzyme_runtime_activity;
extern void __enzyme_fwddiff_second(void *, ...), __enzyme_autodiff_second(void *, ...);
)";

constexpr const char *vector_types = R"(
typedef double doubles2 __attribute__((vector_size(16)));
typedef double doubles4 __attribute__((vector_size(32), aligned(16))); /* as malloc aligns */
typedef float floats4 __attribute__((vector_size(16)));
typedef double doubles2_anywhere __attribute__((vector_size(16), aligned(8), may_alias));
typedef double doubles4_anywhere __attribute__((vector_size(32), aligned(8), may_alias));
typedef float floats4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
)";

/// Writes what surrounds one program.
class SubjectPrinter {
public:
  SubjectPrinter(const Program &program, Dialect dialect)
      : program_(program), dialect_(std::move(dialect)), leaves_(leaves_of_entry(program)), prefix_(dialect_.prefix) {}

  std::string derivatives() {
    arguments_type("double");
    direct("double");
    results();
    reverse();
    forward();
    mode();
    table();
    return std::move(text_);
  }

  std::string oracle() {
    arguments_type("long double");
    direct("long double");
    return std::move(text_);
  }

private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values &&...values) {
    text_ += fmt::format(format, std::forward<Values>(values)...) + '\n';
  }

  const Function &entry() const { return program_.entry(); }
  const Variable &parameter(int id) const { return entry().variables[static_cast<std::size_t>(id)]; }
  bool returns() const { return entry().result.kind != Type::Kind::none; }
  std::string name() const { return entry_name(program_, dialect_); }
  std::string result_name() const { return declaration(entry().result, "", dialect_); }
  std::size_t outputs() const {
    return 1 + static_cast<std::size_t>(
                   std::count_if(leaves_.begin(), leaves_.end(), [](const Leaf &leaf) { return leaf.is_output; }));
  }

  /// What a leaf is, in the arguments `from`.
  std::string place(const Leaf &leaf, const std::string &from) const {
    const std::string text = fmt::format("{}a{}{}", from, leaf.parameter, leaf.path);
    switch (leaf.part) {
    case Leaf::Part::real:
      return "(__real__ " + text + ")";
    case Leaf::Part::imaginary:
      return "(__imag__ " + text + ")";
    case Leaf::Part::lane:
      return fmt::format("{}{}[{}]", text, dialect_.reals == Dialect::Reals::widened ? ".e" : "", leaf.lane);
    default:
      return text;
    }
  }

  /// The memory behind a parameter: an array for a pointer, else the value.
  std::string storage(int id) const {
    const Type &type = parameter(id).type;
    const std::string field = fmt::format("a{}", id);
    return declaration(type.kind == Type::Kind::pointer ? array_of(type.element[0], type.count) : type, field,
                       dialect_);
  }

  void integers_of(const Type &type, const std::string &path) {
    if (type.is_integer())
      line("  {} = 2;", path);
    else if (type.is_indexed())
      for (int i = 0; i < type.count; ++i)
        integers_of(type.element[0], fmt::format("{}[{}]", path, i));
    else if (type.kind == Type::Kind::structure) {
      int field = 0;
      for (const Type &member : program_.structures[static_cast<std::size_t>(type.id)].fields)
        integers_of(member, fmt::format("{}.m{}", path, field++));
    }
  }

  void arguments_type(const std::string &real) {
    line("struct {}arguments {{", prefix_);
    for (int id = 0; id < entry().parameters; ++id)
      line("  {};", storage(id));
    line("}};\nstatic void {0}unpack(const {1} *in, struct {0}arguments *a) {{\n  memset(a, 0, sizeof *a);", prefix_,
         real);
    for (int id = 0; id < entry().parameters; ++id)
      integers_of(parameter(id).type, fmt::format("a->a{}", id));
    std::size_t input = 0;
    for (const Leaf &leaf : leaves_)
      line("  {} = in[{}];", place(leaf, "a->"), input++);
    line("}}");
    line("static void {0}pack(const struct {0}arguments *a, {1} *out) {{", prefix_, real);
    std::size_t output = 1;
    for (const Leaf &leaf : leaves_)
      if (leaf.is_output)
        line("  out[{}] = {};", output++, place(leaf, "a->"));
    line("}}");
  }

  void direct(const std::string &real) {
    std::string list;
    for (int id = 0; id < entry().parameters; ++id)
      list += (id ? ", " : "") + passed(id, "a");
    line("{1}void {0}direct(const {2} *in, {2} *out) {{\n  struct {0}arguments a;\n  {0}unpack(in, &a);", prefix_,
         real == "double" ? "static " : "", real);
    line("  out[0] = 0;\n  {}{}({});\n  {}pack(&a, out);\n}}", returns() ? "out[0] = " : "", name(), list, prefix_);
  }

  std::string passed(int id, const std::string &from) const { return fmt::format("{}.a{}", from, id); }

  bool is_number(int id) const { return parameter(id).type.is_real(); }

  std::vector<int> numbers() const {
    std::vector<int> found;
    for (int id = 0; id < entry().parameters; ++id)
      if (is_number(id))
        found.push_back(id);
    return found;
  }

  /// What reverse mode returns: the primal, then the gradient of each number.
  void results() {
    line("struct {}result {{", prefix_);
    if (returns())
      line("  {};", declaration(entry().result, "primal", dialect_));
    for (const int id : numbers())
      line("  {};", declaration(parameter(id).type, fmt::format("d{}", id), dialect_));
    line("}};\nextern struct {0}result __enzyme_autodiff_{0}(void *, ...);", prefix_);
  }

  /// Arguments of a derivative's call; `numbers_as` is their marker in it.
  std::string activities(const std::string &shadow, const std::string &numbers_as) const {
    std::string text;
    for (int id = 0; id < entry().parameters; ++id) {
      const Type &type = parameter(id).type;
      if (type.is_integer())
        text += fmt::format(", enzyme_const, a.a{}", id);
      else if (type.kind == Type::Kind::pointer || numbers_as == "enzyme_dup")
        text += fmt::format(", enzyme_dup, a.a{0}, {1}.a{0}", id, shadow);
      else
        text += fmt::format(", {}, a.a{}", numbers_as, id);
    }
    return text;
  }

  /// Shadows of the outputs from `seed`, of everything else zero.
  void seed_shadow(const std::string &shadow, const std::string &seed) {
    std::size_t output = 1;
    line("  {}unpack(in, &{});", prefix_, shadow);
    for (const Leaf &leaf : leaves_) {
      if (leaf.is_output)
        line("  {} = {}[{}];", place(leaf, shadow + "."), seed, output++);
      else
        line("  {} = 0;", place(leaf, shadow + "."));
    }
  }

  void collect_gradient(const std::string &shadow, const std::string &target, std::size_t offset) {
    std::size_t input = offset;
    for (const Leaf &leaf : leaves_) {
      if (leaf.is_output)
        line("  {}[{}] = {};", target, input, place(leaf, shadow + "."));
      else
        line("  {}[{}] = r.d{};", target, input, leaf.parameter);
      ++input;
    }
  }

  void begin_reverse(const std::string &function) {
    line("static void {0}{1}(const double *in, const double *seed, {2}double *out, double *gradient) {{", prefix_,
         function, function == "reverse" ? "" : "const double *direction, ");
    line("  struct {0}arguments a, d;\n  {0}unpack(in, &a);", prefix_);
    seed_shadow("d", "seed");
  }

  void reverse(const std::string &function = "reverse", const std::string &option = "") {
    begin_reverse(function);
    line("  struct {0}result r = __enzyme_autodiff_{0}((void *){1}{2}{3}{4});", prefix_, name(), option,
         returns() ? ", enzyme_primal_return" : "", activities("d", "enzyme_out"));
    line("  out[0] = {};\n  {}pack(&a, out);", returns() ? "r.primal" : "0", prefix_);
    collect_gradient("d", "gradient", 0);
    line("}}");
  }

  void forward() {
    if (returns())
      line("struct {0}pair {{ {1} primal, tangent; }};\nextern struct {0}pair __enzyme_fwddiff_{0}(void *, ...);",
           prefix_, result_name());
    else
      line("extern void __enzyme_fwddiff_{0}(void *, ...);", prefix_);
    line("static void {0}forward(const double *in, const double *direction, double *out, double *tangent) {{", prefix_);
    line("  struct {0}arguments a, d;\n  {0}unpack(in, &a);\n  {0}unpack(direction, &d);", prefix_);
    line("  {3}__enzyme_fwddiff_{0}((void *){1}{4}{2});", prefix_, name(), activities("d", "enzyme_dup"),
         returns() ? fmt::format("struct {}pair r = ", prefix_) : "", returns() ? ", enzyme_primal_return" : "");
    line("  out[0] = {};\n  tangent[0] = {};", returns() ? "r.primal" : "0", returns() ? "r.tangent" : "0");
    line("  {0}pack(&a, out);\n  {0}pack(&d, tangent);\n}}", prefix_);
  }

  void mode() {
    switch (program_.mode) {
    case Mode::vector_forward:
      return vector_forward();
    case Mode::vector_reverse:
      return vector_reverse();
    case Mode::split:
      return split();
    case Mode::runtime_activity:
      return reverse("other", ", enzyme_runtime_activity");
    case Mode::forward_over_reverse:
      return forward_over_reverse();
    case Mode::reverse_over_forward:
      return reverse_over("forward", "direction", "seed");
    case Mode::reverse_over_reverse:
      return reverse_over("reverse", "seed", "direction");
    case Mode::none:
      return;
    }
  }

  std::string two_shadows(const std::string &numbers_as) const {
    std::string text;
    for (int id = 0; id < entry().parameters; ++id) {
      const Type &type = parameter(id).type;
      if (type.is_integer())
        text += fmt::format(", enzyme_const, a.a{}", id);
      else if (type.kind == Type::Kind::pointer || numbers_as == "enzyme_dup")
        text += fmt::format(", enzyme_dup, a.a{0}, d.a{0}, e.a{0}", id);
      else
        text += fmt::format(", {}, a.a{}", numbers_as, id);
    }
    return text;
  }

  void vector_forward() {
    if (returns())
      line("struct {0}lanes {{ {1} t[2]; }};\nextern struct {0}lanes __enzyme_fwddiff_lanes_{0}(void *, ...);", prefix_,
           result_name());
    else
      line("extern void __enzyme_fwddiff_lanes_{0}(void *, ...);", prefix_);
    line("static void {0}other(const double *in, const double *seed, const double *direction, double *out, double "
         "*tangent) {{",
         prefix_);
    line("  double twice[64];\n  for (int i = 0; i < {}; ++i) twice[i] = 2 * direction[i];", leaves_.size());
    line("  struct {0}arguments a, d, e;\n  {0}unpack(in, &a);\n  {0}unpack(direction, &d);\n  {0}unpack(twice, &e);",
         prefix_);
    line("  {0}__enzyme_fwddiff_lanes_{1}((void *){2}, enzyme_width, 2{3});",
         returns() ? fmt::format("struct {}lanes r = ", prefix_) : "", prefix_, name(), two_shadows("enzyme_dup"));
    line("  tangent[0] = {};\n  tangent[{}] = {};", returns() ? "r.t[0]" : "0", outputs(), returns() ? "r.t[1]" : "0");
    line("  {0}pack(&a, out);\n  {0}pack(&d, tangent);\n  {0}pack(&e, tangent + {1});\n}}", prefix_, outputs());
  }

  void vector_reverse() {
    line("struct {}lanes {{", prefix_);
    for (const int id : numbers())
      line("  {};", declaration(array_of(parameter(id).type, 2), fmt::format("d{}", id), dialect_));
    line("}};\nextern struct {0}lanes __enzyme_autodiff_lanes_{0}(void *, ...);", prefix_);
    line("static void {0}other(const double *in, const double *seed, const double *direction, double *out, double "
         "*gradient) {{",
         prefix_);
    line("  double other_seed[64];\n  for (int i = 0; i < {}; ++i) other_seed[i] = -seed[i];", outputs());
    line("  struct {0}arguments a, d, e;\n  {0}unpack(in, &a);", prefix_);
    seed_shadow("d", "seed");
    seed_shadow("e", "other_seed");
    line("  struct {0}lanes r = __enzyme_autodiff_lanes_{0}((void *){1}, enzyme_width, 2{2});", prefix_, name(),
         two_shadows("enzyme_out"));
    line("  {}pack(&a, out);", prefix_);
    std::size_t input = 0;
    for (const std::string lane : {"d", "e"})
      for (const Leaf &leaf : leaves_) {
        if (leaf.is_output)
          line("  gradient[{}] = {};", input, place(leaf, lane + "."));
        else
          line("  gradient[{}] = r.d{}[{}];", input, leaf.parameter, lane == "d" ? 0 : 1);
        ++input;
      }
    line("}}");
  }

  void split() {
    line("struct {}gradients {{", prefix_);
    for (const int id : numbers())
      line("  {};", declaration(parameter(id).type, fmt::format("d{}", id), dialect_));
    line("}};");
    if (returns())
      line("struct {0}augmented {{ void *tape; {1} primal; }};\nextern struct {0}augmented "
           "__enzyme_augmentfwd_{0}(void *, ...);",
           prefix_, result_name());
    else
      line("extern void *__enzyme_augmentfwd_{0}(void *, ...);", prefix_);
    const bool one = numbers().size() == 1;
    const std::string gradients =
        one ? declaration(parameter(numbers()[0]).type, "", dialect_) : fmt::format("struct {}gradients", prefix_);
    line("extern {} __enzyme_reverse_{}(void *, ...);", gradients, prefix_);
    begin_reverse("other");
    line("  struct {0}gradients r;", prefix_);
    const std::string list = activities("d", "enzyme_out");
    if (returns())
      line("  struct {0}augmented t = __enzyme_augmentfwd_{0}((void *){1}{2});\n  out[0] = t.primal;", prefix_, name(),
           list);
    else
      line("  void *t = __enzyme_augmentfwd_{0}((void *){1}{2});\n  out[0] = 0;", prefix_, name(), list);
    line("  {}pack(&a, out);", prefix_);
    const std::string seed = returns() ? fmt::format(", ({})seed[0], t.tape", result_name()) : ", t";
    const std::string target = one ? fmt::format("r.d{}", numbers()[0]) : "r";
    line("  {} = __enzyme_reverse_{}((void *){}{}{});", target, prefix_, name(), list, seed);
    collect_gradient("d", "gradient", 0);
    line("}}");
  }

  void begin_second() {
    line("static void {}other(const double *in, const double *seed, const double *direction, double *out, double "
         "*derivative) {{\n  double first[64], none[64];\n  memset(none, 0, sizeof none);",
         prefix_);
  }

  /// The tangent of the gradient along the direction: the Hessian of <seed, outputs> times the direction.
  void forward_over_reverse() {
    begin_second();
    line("  __enzyme_fwddiff_second((void *){}reverse, enzyme_dup, in, direction, enzyme_const, seed, enzyme_dup, out, "
         "none, enzyme_dup, first, derivative);\n}}",
         prefix_);
  }

  /// The same product from a first derivative whose result is weighted with `weights`. `constant` is its other
  /// argument.
  void reverse_over(const char *first, const char *constant, const char *weights) {
    begin_second();
    line("  double weights[64];\n  memset(derivative, 0, {} * sizeof(double));", leaves_.size());
    line("  memcpy(weights, {}, {} * sizeof(double));", weights,
         std::string_view(weights) == "seed" ? outputs() : leaves_.size());
    line(
        "  __enzyme_autodiff_second((void *){}{}, enzyme_dup, in, derivative, enzyme_const, {}, enzyme_dup, out, none, "
        "enzyme_dup, first, weights);\n}}",
        prefix_, first, constant);
  }

  bool has_float() const {
    bool found = false;
    for_each_type(program_, [&](const Type &type) {
      found |= type.kind == Type::Kind::real32 || type.kind == Type::Kind::tagged;
    });
    return found;
  }

  void table() {
    line("static const double {}at[] = {{{}}};", prefix_, fmt::join(program_.inputs, ", "));
    line("static const double {}weights[] = {{1, {}}};", prefix_, fmt::join(program_.output_weights, ", "));
    line("extern void wide_{}direct(const long double *, long double *);", prefix_);
    const auto mode = static_cast<std::size_t>(program_.mode);
    line("static const struct subject {0}subject = {{{1}, {2}, {3}, {4}, {0}at, {0}weights, {0}direct, {0}reverse, "
         "{0}forward, "
         "{5}, wide_{0}direct, \"{6}\"}};",
         prefix_, leaves_.size(), outputs(), has_float() ? 1 : 0, mode, mode ? prefix_ + "other" : "0",
         name_of(program_.mode));
  }

  const Program &program_;
  Dialect dialect_;
  std::vector<Leaf> leaves_;
  std::string prefix_;
  std::string text_;
};

std::string prefix_of(std::size_t number) {
  return fmt::format("p{}_", number);
}

} // namespace

std::string declarations() {
  return std::string(headers) + convention + vector_types + subject_type;
}

std::string derivatives_of(std::span<const Program> programs, std::size_t first) {
  std::string text, table;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Dialect dialect{prefix_of(first + i), Dialect::Reals::as_they_are};
    text += '\n' + print(programs[i], dialect) + '\n' + SubjectPrinter(programs[i], dialect).derivatives();
    table += fmt::format("&{}subject, ", dialect.prefix);
  }
  return text + fmt::format("\nconst struct subject *const subjects[] = {{{}0}};\n", table);
}

std::string oracle_of(std::span<const Program> programs) {
  std::string text = wide_vectors();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Dialect dialect{"wide_" + prefix_of(i), Dialect::Reals::widened};
    text += '\n' + print(programs[i], dialect) + '\n' + SubjectPrinter(programs[i], dialect).oracle();
  }
  return text;
}

std::string whole_test_of(const Program &program) {
  const std::span<const Program> one(&program, 1);
  return declarations() + oracle_of(one) + derivatives_of(one, 0) + checks();
}

} // namespace assay::gen::programs
