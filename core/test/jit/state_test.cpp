// Would catch: variables that are not put back, and differences between what a derivative and what the function leaves
// in them that are not seen, or are seen where there are none.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <array>
#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

/// `double f(double)` of a file and its forward derivative.
struct Compiled {
  explicit Compiled(const std::string &source, LeftOut left_out = {})
      : scratch("f.c", source), file(scratch.path, {}),
        program(file, file.function("f"), Repetition::unknown, std::move(left_out)),
        derivative(std::get<Entry>(program.derivative(
            {Mode::forward, 1, Activity::duplicated, PrimalResult::omitted, {Activity::duplicated}}))) {}

  /// The tangent along 1.
  double call_derivative(double x) const {
    double dx = 1, result = 0, tangent = 0, unused = 0;
    std::array<void *, 7> slots{&x, &dx, &result, &tangent, &unused, nullptr, nullptr};
    derivative(slots.data());
    return tangent;
  }
  double call_function(double x) const {
    double result = 0;
    std::array<void *, 2> slots{&x, &result};
    program.function()(slots.data());
    return result;
  }
  /// What the derivative leaves otherwise, after one call of each.
  std::vector<StateDifference> differences() const {
    program.reset();
    call_function(3);
    call_derivative(3);
    return program.state_differences(derivative);
  }

  ScratchFile scratch;
  ModuleFile file;
  Program program;
  Entry derivative;
};

std::string with_tangent(const std::string &variables, const std::string &function, const std::string &tangent) {
  return "struct pair { double value, tangent; };\n" + variables + "\ndouble f(double x) { " + function +
         " return x * x; }\nstruct pair f_tangent(double x, double dx) { " + tangent +
         " struct pair both = {x * x, 2 * x * dx}; return both; }\n"
         "void *__enzyme_register_derivative_f[] = {(void *)f, (void *)f_tangent};\n";
}

TEST(State, OfAThreadIsPutBackToo) {
  const Compiled compiled("static _Thread_local double calls = 2; double f(double x) { return x * calls++; }\n");
  EXPECT_EQ(compiled.call_function(3), 6);
  EXPECT_EQ(compiled.call_function(3), 9);
  compiled.program.reset();
  EXPECT_EQ(compiled.call_function(3), 6);
}

TEST(State, IsTheSameWhereTheDerivativeDoesWhatTheFunctionDoes) {
  EXPECT_TRUE(Compiled("static int calls; static double sum[2]; double f(double x) {\n"
                       "  sum[calls++ % 2] += x; return x * sum[0] + sum[1]; }\n")
                  .differences()
                  .empty());
}

TEST(State, ShowsAVariableThatTheDerivativeDoesNotWrite) {
  const std::vector<StateDifference> differences =
      Compiled(with_tangent("static int calls;", "++calls;", "")).differences();
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences.front().variable, "calls");
  EXPECT_EQ(differences.front().seen, 0);
  EXPECT_EQ(differences.front().expected, 1);
}

TEST(State, ShowsAnElementThatTheFunctionOnlyReads) {
  const std::vector<StateDifference> differences =
      Compiled(with_tangent("static double table[3] = {1, 2, 4};", "x *= table[1];", "table[2] = 7;")).differences();
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences.front().variable, "table");
  EXPECT_EQ(differences.front().element, 2U);
  EXPECT_EQ(differences.front().expected, 4);
  EXPECT_EQ(differences.front().seen, 7);
}

TEST(State, OfTheRulesOwnIsTheirs) {
  const Compiled compiled(with_tangent("double calls_of_rule;", "", "++calls_of_rule;"));
  EXPECT_TRUE(compiled.differences().empty());
  EXPECT_EQ(compiled.program.changed_variables(compiled.derivative), std::vector<std::string>{"calls_of_rule"});
  compiled.program.put_back(compiled.derivative, "calls_of_rule");
  EXPECT_TRUE(compiled.program.changed_variables(compiled.derivative).empty());
}

TEST(State, IsNamedAsInTheSource) {
  const Compiled compiled("double f(double x) {\n  static double cache;\n  cache += x; return cache; }\n");
  EXPECT_EQ(compiled.program.name_of_variable("f.cache"), "f::cache (f.c:2)");
  EXPECT_EQ(compiled.program.name_of_variable("_ZL6weight"), "weight");
}

TEST(State, ARuleThatIsLeftOutIsNotUsed) {
  const std::string wrong =
      "double f(double x) { return x * x; }\ndouble f_tangent(double x, double dx) { return 7; }\n"
      "void *__enzyme_register_derivative_f[] = {(void *)f, (void *)f_tangent};\n";
  EXPECT_EQ(Compiled(wrong).call_derivative(3), 7);
  EXPECT_EQ(Compiled(wrong, {{"__enzyme_register_derivative_f"}}).call_derivative(3), 6);
}

} // namespace
