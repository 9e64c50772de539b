// Would catch: probes that change what the function computes, numbers that are counted differently in the function and
// in its derivatives, tangents and adjoints at the wrong number, and rules whose own code is taken for the function's.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"
#include "core/trace/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay;
using namespace assay::jit;
using test::ScratchFile;
using Seen = trace::Run;

constexpr Activity dup = Activity::duplicated, constant = Activity::constant, active = Activity::active;

/// `f` of a source, with a derivative of it.
class Traced {
public:
  Traced(const std::string &name, const std::string &source, const Derivative &wanted,
         OptimizationLevel level = OptimizationLevel::normal)
      : scratch_(name, source), file_(scratch_.path, {level, {}, CompileOptions::Emit::used}),
        program_(file_, file_.function("f")) {
    auto compiled = program_.traced(wanted);
    if (const auto *refusal = std::get_if<NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    derivative = std::get<TracedDerivative>(std::move(compiled));
  }

  /// Of the n-th number: `the product`.
  const std::string &what(const Seen &run, std::size_t number) const {
    return derivative.sites[run.numbers()[number].site].what;
  }

  std::size_t find(const Seen &run, const std::string &what) const {
    const auto &numbers = run.numbers();
    const auto found = std::ranges::find_if(
        numbers, [&](const trace::Number &number) { return derivative.sites[number.site].what == what; });
    EXPECT_NE(found, numbers.end()) << what;
    return static_cast<std::size_t>(found - numbers.begin());
  }

  Program &program() { return program_; }

  TracedDerivative derivative;

private:
  ScratchFile scratch_;
  ModuleFile file_;
  Program program_;
};

void run(Seen &run, Entry entry, void **slots) {
  run.program = entry;
  Seen::enter(slots);
}

std::vector<std::uint32_t> way_of(const Seen &run) {
  std::vector<std::uint32_t> sites;
  for (const trace::Number &number : run.numbers())
    sites.push_back(number.site);
  return sites;
}

const char *const sine_of_product =
    "#include <math.h>\ndouble f(double x, double y) {\n  double p = x * y;\n  return sin(p) + y;\n}\n";

TEST(Trace, SeesNumbersAndTheirAdjointsInTheOrderOfTheFunction) {
  Traced traced("f.c", sine_of_product, {Mode::reverse, 1, active, PrimalResult::wanted, {active, active}});
  double x = 0.5, y = 3, dx = 0, dy = 0, result = 0, seed = 2;
  std::array<void *, 3> slots{&x, &y, &result};
  Seen plain;
  run(plain, traced.derivative.function, slots.data());
  EXPECT_EQ(result, std::sin(1.5) + 3);
  std::array<void *, 9> all{&x, &y, &dx, &dy, &result, nullptr, &seed, nullptr, nullptr};
  Seen reverse;
  run(reverse, traced.derivative.derivative, all.data());
  EXPECT_DOUBLE_EQ(dx, 2 * std::cos(1.5) * 3);
  ASSERT_EQ(way_of(plain), way_of(reverse));
  const std::size_t product = traced.find(reverse, "the product"),
                    sine = traced.find(reverse, "the result of the call of sin");
  EXPECT_LT(product, sine);
  EXPECT_DOUBLE_EQ(reverse.numbers()[product].value, 1.5);
  EXPECT_DOUBLE_EQ(reverse.numbers()[product].derivative, 2 * std::cos(1.5));
  EXPECT_DOUBLE_EQ(reverse.numbers()[sine].derivative, 2);
  EXPECT_EQ(traced.derivative.sites[reverse.numbers()[product].site].place, "f.c:3 in f");
}

TEST(Trace, SeesTangents) {
  Traced traced("f.c", sine_of_product, {Mode::forward, 1, dup, PrimalResult::wanted, {dup, constant}});
  double x = 0.5, y = 3, dx = 4, result = 0, tangent = 0;
  std::array<void *, 9> slots{&x, &y, &dx, nullptr, &result, &tangent, nullptr, nullptr, nullptr};
  Seen forward;
  run(forward, traced.derivative.derivative, slots.data());
  EXPECT_DOUBLE_EQ(forward.numbers()[traced.find(forward, "the product")].derivative, 12);
  EXPECT_DOUBLE_EQ(tangent, 12 * std::cos(1.5));
}

TEST(Trace, MovesASingleNumberAndLeavesTheBitsOfTheOthers) {
  Traced traced("f.c", sine_of_product, {Mode::forward, 1, dup, PrimalResult::wanted, {dup, constant}});
  double x = 0.5, y = 3, result = 0;
  std::array<void *, 3> slots{&x, &y, &result};
  Seen plain;
  run(plain, traced.derivative.function, slots.data());
  Seen moved;
  moved.amounts.resize(plain.count());
  moved.amounts[traced.find(plain, "the product")] = 0.25;
  run(moved, traced.derivative.function, slots.data());
  EXPECT_EQ(result, std::sin(1.75) + 3);
}

TEST(Trace, CountsTheSameNumbersInLoopsFloatsAndRecursionAtEveryLevel) {
  const std::string source = "float g(float x, int n) { return n == 0 ? x : x * g(x * 0.5f, n - 1); }\n"
                             "float f(float *x, int n) { float s = 0;\n"
                             "  for (int i = 0; i < n; ++i) { s += g(x[i], i % 3); if (s > 100) break; x[i] = s; }\n"
                             "  return s; }\n";
  for (const OptimizationLevel level :
       {OptimizationLevel::none, OptimizationLevel::little, OptimizationLevel::normal, OptimizationLevel::most})
    for (const Form form : {Form::combined, Form::split}) {
      Traced traced("f.c", source, {Mode::reverse, 1, active, PrimalResult::wanted, {dup, constant}, form}, level);
      std::array<float, 5> x{1, 2, 3, 4, 5}, dx{};
      auto y = x;
      int n = 5;
      float result = 0, seed = 1;
      std::array<void *, 3> slots{x.data(), &n, &result};
      Seen plain;
      run(plain, traced.derivative.function, slots.data());
      std::array<void *, 9> all{
          y.data(), &n, dx.data(), nullptr, &result, nullptr, &seed, reinterpret_cast<void *>(+[](void *) {}), nullptr};
      Seen reverse;
      run(reverse, traced.derivative.derivative, all.data());
      EXPECT_GT(plain.count(), 20U);
      EXPECT_EQ(way_of(plain), way_of(reverse));
      EXPECT_EQ(x, y);
    }
}

TEST(Trace, DoesNotFollowTheCodeOfRules) {
  const std::string source = "double helper(double x) { return x * x; }\n"
                             "double rule(double x) { return helper(x); }\n"
                             "double rule_forward(double x, double dx) { return 2 * helper(x) * dx; }\n"
                             "void *__enzyme_register_derivative_rule[] = {(void *)rule, (void *)rule_forward};\n"
                             "double f(double x) { return rule(x) + 1; }\n";
  Traced traced("f.c", source, {Mode::forward, 1, dup, PrimalResult::wanted, {dup}}, OptimizationLevel::none);
  double x = 3, dx = 1, result = 0, tangent = 0;
  std::array<void *, 7> slots{&x, &dx, &result, &tangent, nullptr, nullptr, nullptr};
  Seen forward;
  run(forward, traced.derivative.derivative, slots.data());
  EXPECT_EQ(tangent, 18);
  EXPECT_EQ(forward.numbers()[traced.find(forward, "the result of the call of rule")].derivative, 18);
  for (std::size_t number = 0; number < forward.count(); ++number)
    EXPECT_EQ(traced.what(forward, number).find("product"), std::string::npos);
}

TEST(Trace, MarksCallsThatItCannotSeeInto) {
  const std::string source = "void fill(double *y, double x) { y[0] = x; }\n"
                             "void fill_forward(double *y, double *dy, double x, double dx) { y[0] = x; dy[0] = dx; }\n"
                             "void *__enzyme_register_derivative_fill[] = {(void *)fill, (void *)fill_forward};\n"
                             "double f(double x) { double y[1]; fill(y, x); return y[0] * x; }\n";
  Traced traced("f.c", source, {Mode::forward, 1, dup, PrimalResult::wanted, {dup}});
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  Seen plain;
  run(plain, traced.derivative.function, slots.data());
  ASSERT_EQ(plain.marks().size(), 1U);
  EXPECT_EQ(traced.derivative.sites[plain.marks().front().site].what, "the call of fill");
  const trace::Number &loaded = plain.numbers()[traced.find(plain, "the loaded value")];
  EXPECT_NE(loaded.address, nullptr);
}

TEST(Trace, LeavesAProgramThatComputesTooManyNumbers) {
  Traced traced("f.c", "double f(double x) { while (x > 0) x = x * 0.5 + x * 0.5; return x; }\n",
                {Mode::forward, 1, dup, PrimalResult::wanted, {dup}});
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  Seen endless;
  endless.most_counted = 100;
  run(endless, traced.derivative.function, slots.data());
  EXPECT_EQ(endless.count(), 101U);
}

} // namespace
