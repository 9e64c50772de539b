// Kinks, poles, ties, signed zeros, infinities, NaN, overflow and underflow: the conventions for values of derivatives.

#include "core/test/rules/rule_program.hpp"
#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace assay::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RuleProgram libm(const std::string &name) {
  const Spelled spelled = spell_libm(reference_function(name), "double");
  return RuleProgram(spelled.parameters, spelled.instruction, spelled.declarations);
}

RuleProgram intrinsic_of_two(const std::string &name) {
  return RuleProgram("double %x, double %y", "call double @llvm." + name + ".f64(double %x, double %y)",
                     "declare double @llvm." + name + ".f64(double, double)");
}

TEST(Kinks, AbsoluteValueHasDerivativeZeroAtBothZeros) {
  RuleProgram fabs = libm("fabs");
  EXPECT_EQ(fabs.product(0, {0.0L}, 7), 0);
  EXPECT_EQ(fabs.product(0, {-0.0L}, 7), 0);
  EXPECT_EQ(fabs.product(0, {0.0L}, infinity), 0);
  EXPECT_EQ(fabs.product(0, {-2.0L}, 7), -7);
  EXPECT_EQ(fabs.product(0, {infinity}, 7), 7);
  EXPECT_TRUE(std::isnan(fabs.product(0, {nan}, 7)));
}

TEST(Kinks, ExtremaFollowTheFirstArgumentAtATie) {
  for (const char *name : {"fmax", "fmin"}) {
    RuleProgram extremum = libm(name);
    EXPECT_EQ(extremum.product(0, {2, 2}, 5), 5) << name;
    EXPECT_EQ(extremum.product(1, {2, 2}, 5), 0) << name;
    EXPECT_EQ(extremum.product(0, {0.0L, -0.0L}, 5), 5) << name;
    EXPECT_EQ(extremum.product(1, {2, 2}, infinity), 0) << name;
  }
}

TEST(Kinks, ExtremaThatIgnoreNanFollowTheOtherArgument) {
  for (const char *name : {"maxnum", "minnum", "maximumnum", "minimumnum"}) {
    RuleProgram extremum = intrinsic_of_two(name);
    EXPECT_EQ(extremum.product(0, {nan, 2}), 0) << name;
    EXPECT_EQ(extremum.product(1, {nan, 2}), 1) << name;
    EXPECT_EQ(extremum.product(0, {2, nan}), 1) << name;
    EXPECT_EQ(extremum.product(1, {2, nan}), 0) << name;
  }
}

TEST(Kinks, ExtremaThatPropagateNanHaveNanDerivatives) {
  for (const char *name : {"maximum", "minimum"}) {
    RuleProgram extremum = intrinsic_of_two(name);
    EXPECT_TRUE(std::isnan(extremum.product(0, {nan, 2}))) << name;
    EXPECT_TRUE(std::isnan(extremum.product(1, {2, nan}))) << name;
    EXPECT_EQ(extremum.product(0, {2, 2}), 1) << name;
    EXPECT_EQ(extremum.product(1, {2, 2}), 0) << name;
  }
}

TEST(Kinks, CopysignFollowsBothSigns) {
  RuleProgram copysign = libm("copysign");
  EXPECT_EQ(copysign.product(0, {3, -1}), -1);
  EXPECT_EQ(copysign.product(0, {-3, -1}), 1);
  EXPECT_EQ(copysign.product(0, {-3, 0.0L}), -1);
  EXPECT_EQ(copysign.product(0, {3, -0.0L}), -1);
  EXPECT_FALSE(copysign.rule().has_partial(1));
  EXPECT_TRUE(std::isnan(copysign.product(0, {nan, 1})));
}

TEST(Kinks, PositiveDifferenceIsFlatFromTheTieOn) {
  RuleProgram fdim = libm("fdim");
  EXPECT_EQ(fdim.product(0, {2, 2}), 0);
  EXPECT_EQ(fdim.product(1, {3, 2}), -1);
  EXPECT_TRUE(std::isnan(fdim.product(1, {3, nan})));
}

TEST(Roots, SquareRootOfZeroHasAnInfiniteDerivative) {
  RuleProgram sqrt = libm("sqrt");
  EXPECT_EQ(sqrt.product(0, {0}), infinity);
  EXPECT_EQ(sqrt.product(0, {0}, 0), 0);
  EXPECT_EQ(sqrt.product(0, {0}, 0, true), 0);
  EXPECT_EQ(sqrt.product(0, {4}, 1, true), 0.25);
  EXPECT_EQ(libm("cbrt").product(0, {0}), infinity);
}

TEST(Powers, HaveNoDerivativeByTheBaseWhereTheExponentIsZero) {
  RuleProgram pow = libm("pow");
  for (const double base : {0.0, -0.0, 1.0, -2.5, infinity, nan})
    EXPECT_EQ(pow.product(0, {base, 0}, 3), 0) << base;
}

TEST(Powers, OfZero) {
  RuleProgram pow = libm("pow");
  EXPECT_EQ(pow.product(0, {0, 2}), 0);
  EXPECT_EQ(pow.product(0, {0, 1}), 1);
  EXPECT_EQ(pow.product(0, {0, 1.5}), 0);
  EXPECT_EQ(pow.product(0, {0, 0.5}), infinity);
  for (const double exponent : {0.0, 0.5, 1.0, 2.0, -1.0})
    EXPECT_EQ(pow.product(1, {0, exponent}), 0) << exponent;
}

TEST(Powers, OfNegativeNumbersHaveNoDerivativeByTheExponent) {
  RuleProgram pow = libm("pow");
  EXPECT_EQ(pow.product(0, {-2, 3}), 12);
  EXPECT_EQ(pow.product(0, {-2, -1}), -0.25);
  EXPECT_EQ(pow.product(1, {-2, 3}), 0);
}

TEST(Powers, AreRightWhereTheResultUnderflowsOrOverflows) {
  RuleProgram pow = libm("pow");
  EXPECT_NEAR(static_cast<double>(pow.product(0, {1e-200, 2}) / 2e-200L), 1, 1e-15);
  EXPECT_NEAR(static_cast<double>(pow.product(0, {1e200, 1.6}) / (1.6L * std::pow(1e200L, 0.6L))), 1, 1e-13);
  EXPECT_EQ(pow.product(1, {infinity, -1}), 0);
  EXPECT_EQ(pow.product(0, {infinity, 0.5}), 0);
  EXPECT_EQ(pow.product(1, {1e-200, 2}), 0);
}

TEST(Powers, AreRightForLargeLogarithms) {
  // y - 1 is rounded: pow(x, y - 1) alone would be off by hundreds of units in the last place.
  RuleProgram pow = libm("pow");
  const long double exact = 0.1L * std::pow(1e300L, static_cast<long double>(0.1) - 1);
  EXPECT_NEAR(static_cast<double>(pow.product(0, {1e300, 0.1}) / exact), 1, 1e-15);
}

TEST(Powers, WithASimpleConstantExponentDoNotNeedTheResult) {
  RuleProgram cube("double %x", "call double @pow(double %x, double 3.0)", "declare double @pow(double, double)");
  EXPECT_FALSE(cube.rule().needs(0).result);
  EXPECT_EQ(cube.product(0, {-2}), 12);
  RuleProgram root("double %x", "call double @pow(double %x, double 2.5)", "declare double @pow(double, double)");
  EXPECT_TRUE(root.rule().needs(0).result);
  EXPECT_EQ(root.product(0, {4}), 20);
}

TEST(Powers, ToAnIntegerZeroAreFlat) {
  RuleProgram powi("double %x, i32 %n", "call double @llvm.powi.f64.i32(double %x, i32 %n)",
                   "declare double @llvm.powi.f64.i32(double, i32)");
  EXPECT_EQ(powi.product(0, {0, 0}), 0);
  EXPECT_EQ(powi.product(0, {infinity, 0}), 0);
  EXPECT_EQ(powi.product(0, {0, 1}), 1);
  EXPECT_EQ(powi.product(0, {0, 2}), 0);
  EXPECT_FALSE(powi.rule().has_partial(1));
}

TEST(Norms, OfTheOriginHaveDerivativeZero) {
  RuleProgram hypot = libm("hypot");
  EXPECT_EQ(hypot.product(0, {0, 0}), 0);
  EXPECT_EQ(hypot.product(1, {-0.0L, 0}, infinity), 0);
}

TEST(Norms, NeitherOverflowNorUnderflow) {
  RuleProgram hypot = libm("hypot");
  EXPECT_NEAR(static_cast<double>(hypot.product(0, {3e300, 4e300})), 0.6, 1e-15);
  EXPECT_NEAR(static_cast<double>(hypot.product(1, {3e-300, 4e-300})), 0.8, 1e-15);
}

TEST(Angles, NeitherOverflowNorUnderflow) {
  RuleProgram atan2 = libm("atan2");
  EXPECT_NEAR(static_cast<double>(atan2.product(0, {1e300, 1e300}) * 1e300L), 0.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(atan2.product(1, {1e-300, 1e-300}) * 1e-300L), -0.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(atan2.product(1, {3e-200, 4e-200}) * 25e-200L), -3, 1e-14);
}

TEST(Angles, OnTheAxes) {
  RuleProgram atan2 = libm("atan2");
  EXPECT_EQ(atan2.product(0, {0, -2}), -0.5);
  EXPECT_EQ(atan2.product(1, {0, -2}), 0);
  EXPECT_EQ(atan2.product(0, {2, 0}), 0);
  EXPECT_EQ(atan2.product(1, {2, 0}), -0.5);
  EXPECT_EQ(atan2.product(0, {1, infinity}), 0);
  EXPECT_EQ(atan2.product(1, {infinity, 1}), 0);
}

TEST(Hyperbolics, SaturateWithoutNan) {
  EXPECT_EQ(libm("tanh").product(0, {1000}), 0);
  EXPECT_EQ(libm("tanh").product(0, {-infinity}), 0);
  EXPECT_EQ(libm("asinh").product(0, {-1e300}), 1e-300);
  EXPECT_EQ(libm("asinh").product(0, {infinity}), 0);
  EXPECT_EQ(libm("acosh").product(0, {1e300}), 1e-300);
  EXPECT_EQ(libm("acosh").product(0, {1}), infinity);
}

TEST(Exponentials, KeepTheirPrecisionFarOut) {
  EXPECT_NEAR(static_cast<double>(libm("expm1").product(0, {-40}) / std::exp(-40.0L)), 1, 1e-15);
  EXPECT_EQ(libm("exp").product(0, {-infinity}), 0);
  EXPECT_EQ(libm("exp").product(0, {infinity}), infinity);
  EXPECT_EQ(libm("erf").product(0, {40}), 0);
}

TEST(Remainders, CountTheQuotient) {
  RuleProgram fmod = libm("fmod"), remainder = libm("remainder");
  EXPECT_EQ(fmod.product(1, {5.5, 2}), -2);
  EXPECT_EQ(fmod.product(1, {-5.5, 2}), 2);
  EXPECT_EQ(fmod.product(1, {1.5, 2}), 0);
  EXPECT_EQ(fmod.product(1, {1.5, infinity}), 0);
  EXPECT_EQ(remainder.product(1, {5.5, 2}), -3);
  EXPECT_EQ(fmod.product(0, {5.5, 2}, 3), 3);
}

TEST(Bessel, OrderOneHasSlopeOneHalfAtZero) {
  EXPECT_EQ(libm("j1").product(0, {0}), 0.5);
}

TEST(Gamma, HasPolesAtZeroAndNoDerivativeAtNegativeIntegers) {
  RuleProgram lgamma = libm("lgamma");
  EXPECT_EQ(lgamma.product(0, {0.0L}), -infinity);
  EXPECT_EQ(lgamma.product(0, {-0.0L}), infinity);
  EXPECT_TRUE(std::isnan(lgamma.product(0, {-3})));
  EXPECT_EQ(lgamma.product(0, {infinity}), infinity);
}

/// What the rule of lgamma and a table of digamma (to 20 digits) say.
TEST(Gamma, DigammaIsAccurateEverywhere) {
  const std::pair<long double, long double> table[] = {
      {1, -0.57721566490153286061L},      {0.5L, -1.96351002602142347944L},  {1e-10L, -10000000000.57721566474L},
      {10, 2.25175258906672110764L},      {1e10L, 23.02585092989045684018L}, {-0.5L, 0.03648997397857652056L},
      {-10.25L, 5.51685841988627330533L}, {2, 0.42278433509846713939L}};
  for (const auto &[type, digits] : {std::pair{"double", 4e-15L}, std::pair{"x86_fp80", 2e-18L}}) {
    const Spelled spelled = spell_libm(reference_function("lgamma"), type);
    RuleProgram lgamma(spelled.parameters, spelled.instruction, spelled.declarations);
    for (const auto &[x, expected] : table)
      if (static_cast<double>(x) == x || std::string(type) == "x86_fp80")
        EXPECT_LE(std::abs(lgamma.product(0, {x}) - expected), digits * std::max(1.0L, std::abs(expected)))
            << type << " at " << x;
  }
}

/// Calls `check` with every partial derivative of every function of the table, at points of one repeated coordinate.
template <class Check>
void for_each_partial_at(double coordinate, Check check) {
  for (const ReferenceFunction &function : reference_functions()) {
    if (function.name == "powi")
      continue;
    RuleProgram program = libm(function.name);
    for (unsigned index = 0; index < program.rule().operand_count(); ++index)
      if (program.rule().has_partial(index))
        check(program, function, index,
              std::vector<Lanes>(program.rule().operand_count(), Lanes{static_cast<long double>(coordinate)}));
  }
}

TEST(NotANumber, InGivesNotANumberOut) {
  for_each_partial_at(nan,
                      [](RuleProgram &program, const ReferenceFunction &function, unsigned index, const auto &point) {
                        if (function.domain.size() != 1 || !function.integers.empty())
                          return;
                        EXPECT_TRUE(std::isnan(program.product(index, point, {1.0L}).front())) << function.name;
                      });
}

TEST(StrongZero, MakesEveryProductWithAZeroSeedZero) {
  for (const double coordinate : {0.0, -0.0, 1.0, -1.0, infinity, -infinity})
    for_each_partial_at(
        coordinate, [=](RuleProgram &program, const ReferenceFunction &function, unsigned index, const auto &point) {
          // Where the result is NaN on both sides of the comparison, the derivative of a selection says so.
          const bool propagates_nan = function.name == "fdim" || function.name == "fma";
          if (!propagates_nan)
            EXPECT_EQ(program.product(index, point, {0.0L}, true).front(), 0) << function.name << " at " << coordinate;
        });
}

TEST(Kinks, RemaindersHaveAWholeQuotientInEveryRoundingMode) {
  RuleProgram fmod = libm("fmod");
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
    for (const double divisor : {0.1, 0.3, 0.7, 1.1}) {
      std::fesetround(mode);
      const double partial = fmod.product(1, {2.95, divisor}, 1);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(partial, -std::trunc(2.95 / divisor)) << "mode " << mode << ", divisor " << divisor;
    }
}

} // namespace
} // namespace assay::test
