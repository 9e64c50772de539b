// An emitted call belongs to the family of the primal's call, carries its flags and source line, and may be moved and
// deleted.

#include "core/engine/rules/helper_functions.hpp"
#include "core/test/rules/rule_program.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace assay::test {
namespace {

/// The calls in the product for operand 0, but for the primal's own.
std::vector<const CallInst *> emitted_calls(RuleProgram &program) {
  std::vector<const CallInst *> calls;
  Function &function = program.emit(0);
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallInst>(&instruction); call && call != &function.getEntryBlock().front())
      calls.push_back(call);
  return calls;
}

/// Name of the only function that the product for operand 0 of `TYPE CALLEE(TYPE)` calls.
std::string called_for(const std::string &callee, const std::string &type = "double") {
  RuleProgram program(type + " %x", "call " + type + " @" + callee + "(" + type + " %x)",
                      "declare " + type + " @" + callee + "(" + type + ")");
  if (!program.has_rule())
    return "no rule";
  const auto calls = emitted_calls(program);
  return calls.size() == 1 ? calls.front()->getCalledFunction()->getName().str()
                           : std::to_string(calls.size()) + " calls";
}

TEST(Dialect, IntrinsicsStayIntrinsics) {
  EXPECT_EQ(called_for("llvm.sin.f64"), "llvm.cos.f64");
  EXPECT_EQ(called_for("llvm.sin.f32", "float"), "llvm.cos.f32");
  EXPECT_EQ(called_for("llvm.sin.f16", "half"), "llvm.cos.f16");
  EXPECT_EQ(called_for("llvm.sin.bf16", "bfloat"), "llvm.cos.bf16");
  EXPECT_EQ(called_for("llvm.sin.v4f32", "<4 x float>"), "llvm.cos.v4f32");
}

TEST(Dialect, LibraryFunctionsKeepTheirPrecision) {
  EXPECT_EQ(called_for("sin"), "cos");
  EXPECT_EQ(called_for("sinf", "float"), "cosf");
  EXPECT_EQ(called_for("sinl", "x86_fp80"), "cosl");
  EXPECT_EQ(called_for("sinf128", "fp128"), "cosf128");
  EXPECT_EQ(called_for("sinl", "fp128"), "cosl");
  EXPECT_EQ(called_for("sinhf", "float"), "coshf");
  EXPECT_EQ(called_for("erff", "float"), "expf");
}

TEST(Dialect, DeviceFunctionsStayOnTheDevice) {
  EXPECT_EQ(called_for("__nv_sin"), "__nv_cos");
  EXPECT_EQ(called_for("__nv_sinf", "float"), "__nv_cosf");
  EXPECT_EQ(called_for("__nv_fast_sinf", "float"), "__nv_cosf");
  EXPECT_EQ(called_for("__nv_sinpi"), "__nv_cospi");
}

TEST(Dialect, FiniteAliasesAreTheirFunctions) {
  EXPECT_EQ(called_for("__sin_finite"), "cos");
  EXPECT_EQ(called_for("__sinf_finite", "float"), "cosf");
  EXPECT_EQ(called_for("__sinh_finite"), "cosh");
}

TEST(Dialect, NamesThatEndLikeASuffixAreNotStripped) {
  EXPECT_EQ(called_for("erf"), "exp");
  EXPECT_EQ(called_for("unknownf", "float"), "no rule");
  EXPECT_EQ(called_for("sinful"), "no rule");
}

TEST(Dialect, FunctionsOfTheSameNameWithOtherTypesHaveNoRule) {
  EXPECT_FALSE(RuleProgram("double %x", "call i32 @sin(double %x)", "declare i32 @sin(double)").has_rule());
  EXPECT_FALSE(RuleProgram("i32 %x", "call double @sin(i32 %x)", "declare double @sin(i32)").has_rule());
  EXPECT_FALSE(RuleProgram("double %x", "call double @sin(double %x, double %x)", "declare double @sin(double, double)")
                   .has_rule());
  EXPECT_FALSE(
      RuleProgram("double %x, float %y", "call double @pow(double %x, float %y)", "declare double @pow(double, float)")
          .has_rule());
}

TEST(Dialect, CallsAreFreeOfEffectsEvenWhereThePrimalSetsErrno) {
  RuleProgram program("double %x", "call double @sin(double %x)", "declare double @sin(double)");
  const CallInst *call = emitted_calls(program).front();
  EXPECT_TRUE(call->doesNotAccessMemory());
  EXPECT_TRUE(call->doesNotThrow());
  EXPECT_TRUE(call->hasFnAttr(Attribute::WillReturn));
  EXPECT_FALSE(call->getCalledFunction()->doesNotAccessMemory());
}

TEST(Dialect, FastMathFlagsAreCarried) {
  RuleProgram program("double %x, double %y", "fmul reassoc contract double %x, %y");
  const Instruction &product = *std::prev(std::prev(program.emit(0).getEntryBlock().end()));
  ASSERT_EQ(product.getOpcode(), Instruction::FMul);
  EXPECT_TRUE(product.hasAllowReassoc());
  EXPECT_TRUE(product.hasAllowContract());
  EXPECT_FALSE(product.hasNoNaNs());
}

TEST(Dialect, SelectionsMayMeetInfinitiesUnderFastMath) {
  // log(0) in the branch that is not taken must not poison the zero that is.
  RuleProgram program("double %x, double %y", "call fast double @pow(double %x, double %y)",
                      "declare double @pow(double, double)");
  for (const Instruction &instruction : instructions(program.emit(1)))
    if (isa<SelectInst>(instruction))
      EXPECT_FALSE(instruction.hasNoInfs());
}

TEST(Dialect, ConstrainedIntrinsicsHaveTheRuleOfTheirFunction) {
  RuleProgram product("double %x, double %y",
                      "call double @llvm.experimental.constrained.fmul.f64(double %x, double %y, metadata "
                      "!\"round.dynamic\", metadata !\"fpexcept.ignore\")",
                      "declare double @llvm.experimental.constrained.fmul.f64(double, double, metadata, metadata)");
  ASSERT_TRUE(product.has_rule());
  EXPECT_EQ(product.rule().operand_count(), 2u);
  RuleProgram sine(
      "double %x",
      "call double @llvm.experimental.constrained.sin.f64(double %x, metadata !\"round.dynamic\", metadata "
      "!\"fpexcept.ignore\")",
      "declare double @llvm.experimental.constrained.sin.f64(double, metadata, metadata)");
  ASSERT_TRUE(sine.has_rule());
  EXPECT_EQ(emitted_calls(sine).front()->getCalledFunction()->getName(), "llvm.cos.f64");
}

TEST(Dialect, HelpersAreWrittenForEveryType) {
  for (const char *type : {"half", "bfloat", "float", "double", "x86_fp80", "fp128", "<2 x half>"}) {
    const auto with_type = [&](std::string text) {
      for (std::size_t place; (place = text.find('T')) != std::string::npos;)
        text.replace(place, 1, type);
      return text;
    };
    RuleProgram gamma(with_type("T %x"), with_type("call T @lgamma(T %x)"), with_type("declare T @lgamma(T)"));
    ASSERT_TRUE(gamma.has_rule()) << type;
    EXPECT_NO_THROW(gamma.emit(0)) << type;
    RuleProgram power(with_type("T %x, T %y"), with_type("call T @pow(T %x, T %y)"), with_type("declare T @pow(T, T)"));
    EXPECT_NO_THROW(power.emit(0)) << type;
  }
}

TEST(Dialect, HelpersAreWrittenOnceForEachTypeAndFamily) {
  RuleProgram gamma("double %x", "call double @lgamma(double %x)", "declare double @lgamma(double)");
  gamma.emit(0, false);
  const auto functions = gamma.module().size();
  gamma.emit(0, true);
  EXPECT_EQ(gamma.module().size(), functions + 1); // the product itself
}

TEST(Dialect, ShortHelpersAreInlinedOnRequest) {
  RuleProgram program("double %x, double %y", "call double @pow(double %x, double %y)",
                      "declare double @pow(double, double)");
  Function &product = program.emit(0);
  EXPECT_EQ(product.size(), 1u);
  engine::inline_helpers(product);
  EXPECT_GT(product.size(), 1u);
  EXPECT_EQ(program.product(0, {4, 2.5}), 20);
}

TEST(Dialect, TheSourceLineIsCarried) {
  RuleProgram program("double %x", "call double @sin(double %x), !dbg !3", R"(declare double @sin(double)
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!4}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "f.c", directory: "")
    !2 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
    !3 = !DILocation(line: 42, scope: !2)
    !4 = !{i32 2, !"Debug Info Version", i32 3})");
  const CallInst *call = emitted_calls(program).front();
  ASSERT_TRUE(call->getDebugLoc());
  EXPECT_EQ(call->getDebugLoc()->getLine(), 42u);
}

TEST(Dialect, ArgumentsThatReceiveIntegersAreNoOperandsWithADerivative) {
  RuleProgram program("double %x, ptr %sign", "call double @lgamma_r(double %x, ptr %sign)",
                      "declare double @lgamma_r(double, ptr)");
  ASSERT_TRUE(program.has_rule());
  EXPECT_TRUE(program.rule().has_partial(0));
  EXPECT_FALSE(program.rule().has_partial(1));
  RuleProgram single("float %x, ptr %sign", "call float @lgammaf_r(float %x, ptr %sign)",
                     "declare float @lgammaf_r(float, ptr)");
  EXPECT_TRUE(single.has_rule());
}

} // namespace
} // namespace assay::test
