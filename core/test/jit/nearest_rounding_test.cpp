// Would catch: a rule that keeps its numbers as text or as integers, and passes for a matter of rounding because other
// rounding modes give it other numbers; arithmetic that does not follow the modes any more.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <cfenv>
#include <gtest/gtest.h>

namespace {

using namespace assay;

/// The tangent of `f`, which a forward rule of the file gives, in a rounding mode.
double tangent(const std::string &rule, double x, int mode) {
  const test::ScratchFile scratch("f.c",
                                  "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                                  "static __attribute__((noinline)) double g(double x) { return x * x; }\n"
                                  "static double g_tangent(double x, double dx) { " +
                                      rule +
                                      " }\n"
                                      "void *__enzyme_register_derivative_g[] = {(void *)g, (void *)g_tangent};\n"
                                      "double f(double x) { return g(x); }\n");
  const jit::ModuleFile file(scratch.path, {jit::OptimizationLevel::normal, {}, jit::CompileOptions::Emit::used});
  jit::Program program(file, file.function("f"));
  const auto compiled = program.derivative({.mode = jit::Mode::forward,
                                            .result = jit::Activity::duplicated_no_need,
                                            .arguments = {jit::Activity::duplicated}});
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    throw std::runtime_error(refusal->message);
  double moved = 1, result = 0;
  void *slots[] = {&x, &moved, nullptr, &result, nullptr, nullptr, nullptr};
  const int before = std::fegetround();
  std::fesetround(mode);
  std::get<jit::Entry>(compiled)(slots);
  EXPECT_EQ(std::fegetround(), mode);
  std::fesetround(before);
  return result;
}

TEST(NearestRounding, OfTextAndOfIntegersHoldsInEveryMode) {
  const char *text = "char t[32]; snprintf(t, sizeof t, \"%.3g\", x); return 2 * atof(t) * dx;";
  const char *integers = "return nearbyint(x * 1000) * dx + lrint(x * 100);";
  for (const char *rule : {text, integers})
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
      EXPECT_EQ(tangent(rule, 1.23456, mode), tangent(rule, 1.23456, FE_TONEAREST)) << rule;
}

TEST(NearestRounding, OfArithmeticFollowsTheMode) {
  EXPECT_GT(tangent("return x / 3 * dx;", 1, FE_UPWARD), tangent("return x / 3 * dx;", 1, FE_DOWNWARD));
}

TEST(NearestRounding, IsLeftToCodeThatChoosesModes) {
  const char *rule = "return (fesetround(0x800), nearbyint(x)) * dx;";
  EXPECT_EQ(tangent(("extern int fesetround(int); " + std::string(rule)).c_str(), 1.25, 0x800), 2);
}

} // namespace
