// What a rule asks for decides what the tape keeps: asking too much costs memory, asking too little is a wrong value.

#include "core/test/rules/rule_program.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// "operands,result" such as "y r" for the partial by operand `index`.
std::string needs(const RuleProgram &program, unsigned index) {
  const engine::PartialNeeds needed = program.rule().needs(index);
  std::string text;
  for (unsigned operand : needed.operands.set_bits())
    text += "xyzw"[operand];
  return needed.result ? text + "r" : text;
}

RuleProgram instruction(const std::string &opcode) {
  return RuleProgram("double %x, double %y", opcode + " double %x, %y");
}

RuleProgram intrinsic(const std::string &name) {
  return RuleProgram("double %x", "call double @llvm." + name + ".f64(double %x)",
                     "declare double @llvm." + name + ".f64(double)");
}

TEST(Needs, SumsNeedNothing) {
  EXPECT_EQ(needs(instruction("fadd"), 0), "");
  EXPECT_EQ(needs(instruction("fsub"), 1), "");
}

TEST(Needs, ProductsNeedTheOtherFactor) {
  EXPECT_EQ(needs(instruction("fmul"), 0), "y");
  EXPECT_EQ(needs(instruction("fmul"), 1), "x");
}

TEST(Needs, QuotientsNeedTheDenominatorAndPerhapsTheResult) {
  EXPECT_EQ(needs(instruction("fdiv"), 0), "y");
  EXPECT_EQ(needs(instruction("fdiv"), 1), "yr");
}

TEST(Needs, FunctionsWhoseDerivativeFollowsFromTheResultNeedOnlyThat) {
  for (const char *name : {"exp", "exp2", "exp10", "sqrt", "tanh", "tan"})
    EXPECT_EQ(needs(intrinsic(name), 0), "r") << name;
  for (const char *name : {"sin", "cos", "log", "asin", "atan", "sinh", "fabs"})
    EXPECT_EQ(needs(intrinsic(name), 0), "x") << name;
}

TEST(Needs, StepsHaveNoPartialAndNeedNothing) {
  for (const char *name : {"floor", "ceil", "trunc", "round", "roundeven", "rint", "nearbyint"}) {
    const RuleProgram program = intrinsic(name);
    ASSERT_TRUE(program.has_rule()) << name;
    EXPECT_FALSE(program.rule().has_partial(0)) << name;
    EXPECT_EQ(needs(program, 0), "") << name;
  }
}

TEST(Needs, OnlyWhatIsAskedForIsGivenAndThatSuffices) {
  // RuleProgram::emit passes null for everything else; the verifier sees the rest.
  for (const ReferenceFunction &function : reference_functions()) {
    if (function.name == "powi")
      continue;
    const Spelled spelled = spell_libm(function, "double");
    RuleProgram program(spelled.parameters, spelled.instruction, spelled.declarations);
    ASSERT_TRUE(program.has_rule()) << function.name;
    for (unsigned index = 0; index < program.rule().operand_count(); ++index)
      EXPECT_NO_THROW(program.emit(index)) << function.name;
  }
}

TEST(Needs, PartsOfComplexFunctionsNeedTheirResultOrTheirArgument) {
  const auto part = [](const std::string &name) {
    return RuleProgram("double %x, double %y, double %z, double %w",
                       "call double @assay.complex." + name + ".double(double %x, double %y, double %z, double %w)",
                       "declare double @assay.complex." + name + ".double(double, double, double, double)");
  };
  const RuleProgram exponential = part("exp.real"), logarithm = part("log.imag");
  EXPECT_FALSE(exponential.rule().has_partial(0));
  EXPECT_EQ(needs(exponential, 2), "x");
  EXPECT_EQ(needs(exponential, 3), "y");
  EXPECT_EQ(needs(logarithm, 2), "zw");
}

TEST(Cost, CallsAreExpensiveAndArithmeticIsNot) {
  EXPECT_FALSE(instruction("fmul").rule().is_expensive());
  EXPECT_FALSE(instruction("fdiv").rule().is_expensive());
  EXPECT_FALSE(intrinsic("fabs").rule().is_expensive());
  EXPECT_TRUE(intrinsic("exp").rule().is_expensive());
  EXPECT_TRUE(intrinsic("sin").rule().is_expensive());
}

} // namespace
} // namespace assay::test
