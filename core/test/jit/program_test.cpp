// Would catch: entries that read or write the wrong slots, derivatives that are compiled in the wrong mode, and a
// refusal of one derivative that takes others with it.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

/// A function of one file, compiled.
struct Compiled {
  Compiled(const char *file_name, const char *source, const char *function,
           OptimizationLevel level = OptimizationLevel::normal)
      : scratch(file_name, source), file(scratch.path, {level, {}, CompileOptions::Emit::used}),
        program(file, file.function(function)) {}
  ScratchFile scratch;
  ModuleFile file;
  Program program;

  Entry derivative(const Derivative &wanted) {
    const auto compiled = program.derivative(wanted);
    if (const auto *refusal = std::get_if<NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    return std::get<Entry>(compiled);
  }
};

TEST(Program, CallsTheFunctionThroughItsSlots) {
  Compiled compiled("f.c",
                    "double f(double *x, int n, float s) { double t = 0; for (int i = 0; i < n; ++i) t += x[i]; x[0] = "
                    "7; return t * s; }",
                    "f");
  std::array<double, 3> x{1, 2, 4};
  int n = 3;
  float s = 2;
  double result = 0;
  std::array<void *, 4> slots{x.data(), &n, &s, &result};
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 14);
  EXPECT_EQ(x[0], 7);
}

TEST(Program, RunsGlobalConstructorsAndTheStandardLibrary) {
  Compiled compiled("f.cpp",
                    "#include <vector>\n#include <numeric>\nstatic std::vector<double> w(3, 2.0);\n"
                    "double f(double x) { return x * std::accumulate(w.begin(), w.end(), 0.0); }",
                    "f");
  double x = 1.5, result = 0;
  std::array<void *, 2> slots{&x, &result};
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 9);
}

TEST(Program, FindsGlobalVariablesAsTheyWereAfterAReset) {
  Compiled compiled("f.cpp",
                    "static double start() { return 40; }\nstatic double calls = start();\n"
                    "double f(double x) { static int inside = 1; calls += inside++; return calls + x; }",
                    "f");
  double x = 0, result = 0;
  std::array<void *, 2> slots{&x, &result};
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 41);
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 43);
  compiled.program.reset();
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 41);
}

TEST(Program, ScramblesTheNumbersOfTheFunctionsOwnVariables) {
  Compiled compiled("f.c",
                    "static volatile struct { int n; double x[2]; } weights = {1, {2, 3}};\n"
                    "static volatile int calls;\n"
                    "double f(double x) { ++calls; return x > 0 ? x * weights.x[1] : weights.n + 10 * calls; }",
                    "f");
  double x = -1, result = 0;
  std::array<void *, 2> slots{&x, &result};
  const auto value = [&](double at) {
    x = at;
    compiled.program.function()(slots.data());
    return result;
  };
  EXPECT_EQ(value(-1), 11);
  compiled.program.scramble();
  EXPECT_EQ(value(-1), 20); // What the function counts goes on.
  EXPECT_TRUE(std::isnan(value(1)));
  compiled.program.reset();
  EXPECT_EQ(value(1), 3);
}

TEST(Program, RunsCodeWhosePanicsAreNotThere) {
  Compiled compiled(
      "f.ll",
      "declare void @absent_panic() noreturn\n"
      "define double @f(double %x) {\n"
      "  %huge = fcmp ogt double %x, 1.0e300\n  br i1 %huge, label %panic, label %fine\n"
      "panic:\n  call void @absent_panic()\n  unreachable\nfine:\n  %y = fmul double %x, %x\n  ret double %y\n}\n",
      "f");
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 9);
}

TEST(Program, TakesRustsAllocationFunctionsForMalloc) {
  Compiled compiled(
      "f.ll",
      "declare noalias ptr @_RNvCs1_7___rustc12___rust_alloc(i64, i64)\n"
      "declare void @_RNvCs1_7___rustc14___rust_dealloc(ptr, i64, i64)\n"
      "define double @f(double %x) {\n"
      "  %p = call ptr @_RNvCs1_7___rustc12___rust_alloc(i64 8, i64 8)\n  store volatile double %x, ptr %p\n"
      "  %y = load volatile double, ptr %p\n"
      "  call void @_RNvCs1_7___rustc14___rust_dealloc(ptr %p, i64 8, i64 8)\n  ret double %y\n}\n",
      "f");
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  compiled.program.function()(slots.data());
  EXPECT_EQ(result, 3);
}

TEST(Program, GivesTheTangentAndThePrimalInForwardMode) {
  Compiled compiled("f.c", "double f(double x, double y) { return x * x * y; }", "f");
  const Derivative wanted{
      Mode::forward, 1, Activity::duplicated, PrimalResult::wanted, {Activity::duplicated, Activity::constant}};
  double x = 3, y = 5, dx = 2, result = 0, tangent = 0;
  const SlotLayout layout{2, 1};
  std::vector<void *> slots(layout.count());
  slots[layout.parameter(0)] = &x;
  slots[layout.parameter(1)] = &y;
  slots[layout.shadow(0, 0)] = &dx;
  slots[layout.result()] = &result;
  slots[layout.result_tangent(0)] = &tangent;
  compiled.derivative(wanted)(slots.data());
  EXPECT_EQ(result, 45);
  EXPECT_EQ(tangent, 60);
}

TEST(Program, GivesAdjointsForAnySeedInReverseMode) {
  Compiled compiled("f.c", "#include <math.h>\ndouble f(double x, double *p) { return sin(x) * p[1]; }", "f");
  const Derivative wanted{
      Mode::reverse, 1, Activity::active, PrimalResult::wanted, {Activity::active, Activity::duplicated}};
  double x = 0.5, adjoint = -1, result = 0, seed = 4;
  std::array<double, 2> p{1, 3}, dp{10, 20};
  const SlotLayout layout{2, 1};
  std::vector<void *> slots(layout.count());
  slots[layout.parameter(0)] = &x;
  slots[layout.parameter(1)] = p.data();
  slots[layout.shadow(0, 0)] = &adjoint;
  slots[layout.shadow(1, 0)] = dp.data();
  slots[layout.result()] = &result;
  slots[layout.result_seed(0)] = &seed;
  compiled.derivative(wanted)(slots.data());
  EXPECT_EQ(result, std::sin(0.5) * 3);
  EXPECT_NEAR(adjoint, 4 * 3 * std::cos(0.5), 1e-14);
  EXPECT_EQ(dp[0], 10);
  EXPECT_NEAR(dp[1], 20 + 4 * std::sin(0.5), 1e-14);
}

TEST(Program, CompilesWithoutOptimisationToo) {
  Compiled compiled("f.c", "double f(double x) { double t = 1; while (t < 100) t *= x; return t; }", "f",
                    OptimizationLevel::none);
  const Derivative wanted{Mode::reverse, 1, Activity::active, PrimalResult::omitted, {Activity::active}};
  double x = 10, adjoint = 0, seed = 1;
  const SlotLayout layout{1, 1};
  std::vector<void *> slots(layout.count());
  slots[layout.parameter(0)] = &x;
  slots[layout.shadow(0, 0)] = &adjoint;
  slots[layout.result_seed(0)] = &seed;
  compiled.derivative(wanted)(slots.data());
  EXPECT_EQ(adjoint, 20);
}

TEST(Program, CompilesADerivativeOnce) {
  Compiled compiled("f.c", "double f(double x) { return x * x; }", "f");
  const Derivative forward{
      Mode::forward, 1, Activity::duplicated_no_need, PrimalResult::omitted, {Activity::duplicated}};
  Derivative wide = forward;
  wide.width = 2;
  compiled.program.compile(std::array{forward});
  const Entry entry = std::get<Entry>(compiled.program.derivative(forward));
  compiled.program.compile(std::array{forward, wide});
  EXPECT_EQ(std::get<Entry>(compiled.program.derivative(forward)), entry);
  EXPECT_TRUE(std::holds_alternative<Entry>(compiled.program.derivative(wide)));
}

TEST(Program, SaysWhyThereIsNoDerivativeAndKeepsTheOthers) {
  Compiled compiled(
      "f.c", "float f32mulf64(double, double);\ndouble f(double x, double y) { return f32mulf64(x, 1) + y; }", "f");
  const Derivative impossible{Mode::forward,
                              1,
                              Activity::duplicated_no_need,
                              PrimalResult::omitted,
                              {Activity::duplicated, Activity::constant}};
  const Derivative possible{Mode::forward,
                            1,
                            Activity::duplicated_no_need,
                            PrimalResult::omitted,
                            {Activity::constant, Activity::duplicated}};
  compiled.program.compile(std::array{impossible, possible});
  const auto refusal = compiled.program.derivative(impossible);
  ASSERT_TRUE(std::holds_alternative<NoDerivative>(refusal));
  EXPECT_NE(std::get<NoDerivative>(refusal).message.find("f32mulf64"), std::string::npos)
      << std::get<NoDerivative>(refusal).message;
  EXPECT_TRUE(std::holds_alternative<Entry>(compiled.program.derivative(possible)));
}

} // namespace
