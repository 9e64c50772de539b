// Would catch: an operation of which the wide number is not computed or not settled against the program's result, and
// decisions that the wide numbers take in place of the program's.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"
#include "core/widen/run.hpp"
#include "core/widen/wide_values.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay;
using widen::Wide;

/// `double f(double x)` in C, computed again in wide arithmetic.
class Corrected {
public:
  explicit Corrected(const std::string &source, jit::OptimizationLevel level = jit::OptimizationLevel::normal)
      : scratch_("f.c", "#define _GNU_SOURCE\n#include <complex.h>\n#include <math.h>\n#include <stdlib.h>\n" + source),
        file_(scratch_.path, {level, {}, jit::CompileOptions::Emit::used}), program_(file_, file_.function("f")) {}

  struct Number {
    double value = 0; ///< The program's.
    Wide corrected = 0;
    std::vector<std::string> losses;
    widen::Run::Cancellation cancellation;
    std::uint32_t fewest_computed_bits = 0;
  };

  Number value(double x) {
    double result = 0;
    void *slots[] = {&x, &result};
    return run(program_.corrected(), slots, result);
  }

  Number gradient(double x) {
    double result = 0, adjoint = 0, seed = 1;
    void *slots[] = {&x, &adjoint, &result, nullptr, &seed, nullptr, nullptr};
    return run(program_.corrected(
                   {.mode = jit::Mode::reverse, .result = jit::Activity::active, .arguments = {jit::Activity::active}}),
               slots, adjoint);
  }

  Number tangent(double x) {
    double result = 0, moved = 1, tangent = 0;
    void *slots[] = {&x, &moved, &result, &tangent, nullptr, nullptr, nullptr};
    return run(program_.corrected({.mode = jit::Mode::forward,
                                   .result = jit::Activity::duplicated_no_need,
                                   .arguments = {jit::Activity::duplicated}}),
               slots, tangent);
  }

private:
  Number run(const std::variant<jit::Entry, jit::NoDerivative> &compiled, void **slots, double &output) {
    if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    program_.reset();
    widen::Run run;
    std::get<jit::Entry>(compiled)(slots);
    Number number;
    number.value = output;
    number.corrected = assay_wide_corrected(output, run.movement(&output, sizeof output));
    number.losses = run.losses();
    number.cancellation = run.cancellation();
    number.fewest_computed_bits = run.fewest_computed_bits;
    return number;
  }

  test::ScratchFile scratch_;
  jit::ModuleFile file_;
  jit::Program program_;
};

double distance(Wide left, Wide right) {
  return static_cast<double>(widen::magnitude(left - right));
}

/// In exact arithmetic it is zero; in double it is noise.
class Identity : public testing::TestWithParam<const char *> {};

TEST_P(Identity, HoldsInWideArithmetic) {
  for (const auto level : {jit::OptimizationLevel::none, jit::OptimizationLevel::normal}) {
    Corrected program(std::string("double f(double x) { ") + GetParam() + " }", level);
    const Corrected::Number number = program.value(1.7);
    EXPECT_TRUE(number.losses.empty()) << number.losses.front();
    EXPECT_LE(distance(number.corrected, 0), 1e-28) << number.value;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Corrections, Identity,
    testing::Values(
        "return sqrt(x) * sqrt(x) - x;", "return sin(x) * sin(x) + cos(x) * cos(x) - 1;", "return exp(log(x)) - x;",
        "return ((x + 1e16) - 1e16) - x;", "return pow(x, 0.5) - sqrt(x);", "return cbrt(x) * cbrt(x) * cbrt(x) - x;",
        "return 1 / (1 / x) - x;", "return x / 3 * 3 - x;", "return fma(x, x, -x * x);",
        "return tan(x) * cos(x) - sin(x);", "return hypot(x, 2) * hypot(x, 2) - (x * x + 4);",
        "return ldexp(x / 3, 3) - 8 * (x / 3);", "return fmod(x * 3, 2) - (x * 3 - 4);", "return fabs(-x / 3) - x / 3;",
        "return fmax(x / 3, 0.1) - x / 3 + fmin(x / 7, 1) - x / 7;",
        "return copysign(x / 3, -1) + x / 3 + fdim(x / 7, 0) - x / 7;",
        "double whole; double part = modf(x * 10 / 3, &whole); return part + whole - x * 10 / 3;",
        "int e; double m = frexp(x / 3, &e); return ldexp(m, e) - x / 3;",
        "double complex z = x + 0.3 * I; return creal(cexp(clog(z))) - x;",
        "double complex z = x + 0.3 * I; return creal(z * z / z) - x;",
        "double a[3] = {x / 3, x / 7, x / 9}, *p = malloc(sizeof a); for (int i = 0; i < 3; ++i) p[i] = a[i];"
        "double t = p[0] * 3 + p[1] * 7 + p[2] * 9 - 3 * x; free(p); return t;",
        "float y = x / 3; return y * 3.0 - x;", "long double y = x / 3.0L; return y * 3 - x;"));

TEST(Corrections, LeaveDecisionsToTheProgram) {
  // In wide arithmetic a third three times is less than one, and its floor is zero.
  EXPECT_EQ(distance(Corrected("double f(double x) { return floor(1 / x * 3); }").value(3).corrected, 1), 0);
  EXPECT_EQ(
      distance(Corrected("double f(double x) { return (x + 1e17) - 1e17 == 0 ? 5 : 7; }").value(0.7).corrected, 5), 0);
}

TEST(Corrections, OfAnInfinityAreTheNumberItself) {
  EXPECT_LE(distance(Corrected("double f(double x) { return x * 1e200 / 1e200; }").value(0x1p600).corrected, 0x1p600),
            0x1p500);
}

TEST(Corrections, KnowHowCoarseArithmeticIs) {
  EXPECT_EQ(Corrected("double f(double x) { return x / 3; }").value(1.7).fewest_computed_bits, 53U);
  // Also where it is exact.
  EXPECT_EQ(Corrected("float t = 1.5f; double f(double x) { return __builtin_fmaf(t, t, 2); }")
                .value(1.7)
                .fewest_computed_bits,
            24U);
  EXPECT_EQ(Corrected("float sinf(float); float t = 1.5f; double f(double x) { return x * sinf(t); }")
                .value(1.7)
                .fewest_computed_bits,
            24U);
  EXPECT_EQ(Corrected("float fabsf(float); float t = 1.5f; double f(double x) { return x * fabsf(t); }")
                .value(1.7)
                .fewest_computed_bits,
            53U);
  EXPECT_EQ(Corrected("float t = 1.5f; double f(double x) { return x * (t * 2); }").value(1.7).fewest_computed_bits,
            24U);
}

TEST(Corrections, GiveAllDigitsOfADerivativeThatCancels) {
  // (1 - cos x) / x^2 has the derivative -x / 12 + x^3 / 180 - ...
  const double x = 1e-5;
  const Wide exact = Wide(-x) / 12 + Wide(x) * x * x / 180 - Wide(x) * x * x * x * x / 6720;
  for (const auto level : {jit::OptimizationLevel::none, jit::OptimizationLevel::normal}) {
    Corrected program("double f(double x) {\n  return (1 - cos(x)) / (x * x);\n}", level);
    for (const Corrected::Number &number : {program.gradient(x), program.tangent(x)}) {
      EXPECT_TRUE(number.losses.empty()) << number.losses.front();
      EXPECT_LE(distance(number.corrected, exact), 1e-15 * x);
      EXPECT_GE(std::abs(number.value - static_cast<double>(exact)), 1e-8 * x); // The program's own.
      EXPECT_GE(number.cancellation.factor, 1e8);
      EXPECT_EQ(number.cancellation.site, "at f.c:6");
    }
  }
}

} // namespace
