// Would catch: a wrong reaction of an operation or function, one that is accurate to no more than double, and decisions
// that pass unnoticed.

#include "core/test/widen/widened.hpp"

namespace {

using namespace assay;
using test::expect_derivative;
using test::Widened;

struct KnownFunction {
  const char *expression;
  double at;
  long double derivative;
};

class Functions : public testing::TestWithParam<KnownFunction> {};

TEST_P(Functions, HaveDerivativesInFullPrecision) {
  const std::string source =
      std::string("#define _GNU_SOURCE\n#include <math.h>\ndouble fmaxmag(double, double), fminmag(double, double);\n"
                  "double f(double x) { return ") +
      GetParam().expression + "; }";
  expect_derivative("f.c", source, {GetParam().at}, 0, static_cast<double>(GetParam().derivative));
}

INSTANTIATE_TEST_SUITE_P(
    Widen, Functions,
    testing::Values(KnownFunction{"3 * x - x / 7", 1.5L, 3 - 1.0L / 7}, KnownFunction{"1 / x", 0.5, -4},
                    KnownFunction{"sin(x)", 1, std::cos(1.0L)}, KnownFunction{"cos(x)", 2, -std::sin(2.0L)},
                    KnownFunction{"tan(x)", 1, 1 / (std::cos(1.0L) * std::cos(1.0L))},
                    KnownFunction{"exp(x)", 1, std::exp(1.0L)}, KnownFunction{"exp2(x)", 3, 8 * std::log(2.0L)},
                    KnownFunction{"log(x)", 4, 0.25}, KnownFunction{"log1p(x)", 1, 0.5},
                    KnownFunction{"expm1(x)", -2, std::exp(-2.0L)}, KnownFunction{"sqrt(x)", 2, 0.5L / std::sqrt(2.0L)},
                    KnownFunction{"cbrt(x)", 8, 1.0L / 12}, KnownFunction{"asin(x)", 0.5, 1 / std::sqrt(0.75L)},
                    KnownFunction{"atan(x)", 2, 0.2L}, KnownFunction{"tanh(x)", 0, 1},
                    KnownFunction{"erf(x)", 0, 2 / std::sqrt(std::acos(-1.0L))},
                    KnownFunction{"pow(x, 2.5)", 4, 2.5L * 8}, KnownFunction{"pow(2, x)", 3, 8 * std::log(2.0L)},
                    KnownFunction{"atan2(x, 2)", 1, 0.4L}, KnownFunction{"hypot(x, 4)", 3, 0.6L},
                    KnownFunction{"fmod(x, 3) * x", 7.5, 9}, KnownFunction{"fabs(x) * x", -3, 6},
                    KnownFunction{"fmax(x, 1) + fmin(x, 1)", 2, 1}, KnownFunction{"fma(x, x, x)", 3, 7},
                    KnownFunction{"copysign(x, -1) + floor(x) + fdim(x, 1)", 2.5, 0},
                    KnownFunction{"fmaxmag(x, 1) * fminmag(x, 5)", -2, -4}, KnownFunction{"ldexp(x, 3)", 2, 8},
                    KnownFunction{"tgamma(x)", 1, -0.577215664901532860606512L},
                    KnownFunction{"j0(x)", 1, -0.440050585744933515959682L}));

TEST(Widen, IsExactWhereDoublesCancel) {
  expect_derivative("f.c", "double f(double x) { return ((x + 1e16) - 1e16) + 3 * x; }", {0.7}, 0, 4);
  expect_derivative("f.c",
                    "double f(double x) { double t = 1; for (int i = 1; i <= 60; ++i) t += 1e12 * x; "
                    "for (int i = 1; i <= 60; ++i) t -= 1e12 * x; return t + x * x; }",
                    {0.3}, 0, 0.6);
}

class FarBelowTheValue : public testing::TestWithParam<KnownFunction> {};

TEST_P(FarBelowTheValue, MovementsAreNotLost) {
  const std::string source =
      std::string("#include <math.h>\ndouble f(double x) { return ") + GetParam().expression + "; }";
  expect_derivative("f.c", source, {GetParam().at}, 0, static_cast<double>(GetParam().derivative));
}

INSTANTIATE_TEST_SUITE_P(
    Widen, FarBelowTheValue,
    testing::Values(
        KnownFunction{"cos(1e-12 * x) * 1e24", 0.5, -0.5L}, KnownFunction{"log(1 + 1e-30 * x) * 1e30", 1, 1},
        KnownFunction{"sin(1.5 + 1e-30 * x) * 1e30", 1, std::cos(1.5L)}, KnownFunction{"exp(1e-30 * x) * 1e30", 1, 1},
        KnownFunction{"acos(0.5 + 1e-30 * x) * 1e30", 1, -1 / std::sqrt(0.75L)},
        KnownFunction{"atan2(1e-30 * x, -1) * 1e30", 1, -1}, KnownFunction{"pow(1 + 1e-30 * x, 2) * 1e30", 1, 2},
        KnownFunction{"hypot(1, 1e-20 * x) * 1e40", 1, 1}, KnownFunction{"cbrt(1 + 1e-30 * x) * 1e30", 1, 1 / 3.0L},
        KnownFunction{"tanh(1 + 1e-30 * x) * 1e30", 1, 1 / (std::cosh(1.0L) * std::cosh(1.0L))}));

TEST(Widen, SaysWhereZeroMayBeMultipliedByInfinity) {
  for (const char *expression : {"atan2(x, 0 * x)", "cbrt(x) * x", "sqrt(x * x)", "1 / (1 / x)"}) {
    Widened program("f.c", std::string("#include <math.h>\ndouble f(double x) { return ") + expression + "; }");
    EXPECT_FALSE(program.derivative({0}).singularities.empty()) << expression;
    EXPECT_TRUE(program.derivative({1}).singularities.empty()) << expression;
  }
}

TEST(Widen, FollowsTheProgramsOwnRounding) {
  // The widened numbers of a program that rounds would give 1 / (0.7 * 0.7); the program computes with 0.
  Widened program("f.c", "double f(double x) { double y = (x + 1e17) - 1e17; return (y + 2) * (y + 2); }");
  expect_derivative(program, {0.7}, 0, 4);
}

TEST(Widen, IsExactInFloat) {
  expect_derivative("f.c", "double f(double x) { float y = (float)x; float z = y * y * 3; return z; }", {0.5}, 0, 3);
}

TEST(Widen, IsExactInLongDouble) {
  expect_derivative("f.c",
                    "#include <math.h>\ndouble f(double x) { long double y = x; y = y * y + sinl(y) - x; return y; }",
                    {2}, 0, static_cast<double>(3 + std::cos(2.0L)));
}

TEST(Widen, FollowsComplexNumbers) {
  expect_derivative(
      "f.c",
      "#include <complex.h>\ndouble f(double *x) { double complex z = x[0] + x[1] * I; z = z * z / (z + 1); "
      "return creal(z); }",
      {1, 0}, 0, 0.75);
}

TEST(Widen, FollowsFunctionsOfComplexNumbers) {
  expect_derivative("f.c",
                    "#include <complex.h>\ndouble f(double *x) { double complex z = cexp(x[0] + x[1] * I); "
                    "return creal(z) + cabs(csqrt(z * z)); }",
                    {1, 0}, 0, static_cast<double>(2 * std::exp(1.0L)));
}

TEST(Widen, SaysHowCoarseTheProgramsNumbersAre) {
  Widened coarse("f.c", "double f(double x) { return (float)(x * x); }");
  Widened fine("f.c", "double f(double x) { float n = 3; return x * n; }");
  coarse.react({2}, {1});
  EXPECT_EQ(coarse.fewest_bits, 24U);
  fine.react({2}, {1});
  EXPECT_EQ(fine.fewest_bits, 53U);
}

TEST(Widen, SeesComparisonsThatAreDecidedByAHair) {
  Widened program("f.c", "double f(double x) { return x < 1 ? 2 * x : 3 * x - 1; }");
  const widen::Difference difference = program.derivative({1});
  EXPECT_EQ(difference.outputs.front().trouble, widen::Trouble::crossing);
  ASSERT_EQ(difference.crossings.size(), 1U);
  EXPECT_EQ(difference.crossings.front(), "a comparison at f.c:1");
  expect_derivative(program, {1.0000001}, 0, 3);
}

TEST(Widen, SeesKinksOfFunctions) {
  for (const char *expression :
       {"fabs(x - 1)", "fmax(x, 2 - x)", "floor(x) * x", "(double)(int)x * x", "copysign(3, x - 1)"}) {
    Widened program("f.c", std::string("#include <math.h>\ndouble f(double x) { return ") + expression + "; }");
    EXPECT_EQ(program.derivative({1}).outputs.front().trouble, widen::Trouble::crossing) << expression;
  }
}

TEST(Widen, LetsKinksPassThatNoOutputFeels) {
  Widened program("f.c", "#include <math.h>\n#include <stdio.h>\n"
                         "double f(double x) { double e = fabs(x - 1); if (e > 0.5) return 0; return 3 * x; }");
  expect_derivative(program, {1}, 0, 3);
}

TEST(Widen, SaysWhereTheFunctionIsNotFinite) {
  Widened program("f.c", "#include <math.h>\ndouble f(double x) { return sqrt(x); }");
  EXPECT_NE(program.derivative({0}).outputs.front().trouble, widen::Trouble::none);
}

} // namespace
