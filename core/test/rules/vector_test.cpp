// Vectors: elementwise rules lane by lane, reductions, conversions.

#include "core/test/rules/rule_program.hpp"
#include <cmath>
#include <gtest/gtest.h>

namespace assay::test {
namespace {

TEST(Vectors, ElementwiseRulesActLaneByLane) {
  RuleProgram product("<4 x float> %x, <4 x float> %y", "fmul <4 x float> %x, %y");
  EXPECT_EQ(product.product(0, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {1, 10, 100, 1000}), (Lanes{5, 60, 700, 8000}));
  RuleProgram absolute("<2 x double> %x", "call <2 x double> @llvm.fabs.v2f64(<2 x double> %x)",
                       "declare <2 x double> @llvm.fabs.v2f64(<2 x double>)");
  EXPECT_EQ(absolute.product(0, {{-3, 0}}, {2, 2}), (Lanes{-2, 0}));
}

TEST(Vectors, FunctionsWithoutAVectorFormAreCalledLaneByLane) {
  RuleProgram power("<2 x double> %x, <2 x double> %y",
                    "call <2 x double> @llvm.pow.v2f64(<2 x double> %x, <2 x double> %y)",
                    "declare <2 x double> @llvm.pow.v2f64(<2 x double>, <2 x double>)");
  const Lanes by_base = power.product(0, {{2, 0}, {3.5, 2}}, {1, 1});
  EXPECT_NEAR(static_cast<double>(by_base[0]), 3.5 * std::pow(2, 2.5), 1e-14);
  EXPECT_EQ(by_base[1], 0);
  EXPECT_EQ(power.product(1, {{1, 0}, {3.5, 2}}, {1, 1}), (Lanes{0, 0}));
}

TEST(Vectors, ShareAScalarIntegerExponent) {
  RuleProgram power("<2 x double> %x, i32 %n", "call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %x, i32 %n)",
                    "declare <2 x double> @llvm.powi.v2f64.i32(<2 x double>, i32)");
  EXPECT_EQ(power.product(0, {{2, -1}, {3}}, {1, 1}), (Lanes{12, 3}));
}

TEST(Vectors, ScaleByAnExponentForEachLane) {
  RuleProgram scale("<2 x float> %x, <2 x i32> %n",
                    "call <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float> %x, <2 x i32> %n)",
                    "declare <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float>, <2 x i32>)");
  EXPECT_EQ(scale.product(0, {{1, 1}, {3, -1}}, {1, 10}), (Lanes{8, 5}));
}

TEST(Reductions, OfASumSpreadTheSeed) {
  RuleProgram sum("double %start, <4 x double> %x",
                  "call double @llvm.vector.reduce.fadd.v4f64(double %start, <4 x double> %x)",
                  "declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)");
  EXPECT_EQ(sum.product(0, {{1}, {1, 2, 3, 4}}, {7}), (Lanes{7}));
  EXPECT_EQ(sum.product(1, {{1}, {1, 2, 3, 4}}, {7}), (Lanes{7, 7, 7, 7}));
}

TEST(Reductions, OfAProductAreRightWhenAFactorIsZero) {
  RuleProgram product("double %start, <3 x double> %x",
                      "call double @llvm.vector.reduce.fmul.v3f64(double %start, <3 x double> %x)",
                      "declare double @llvm.vector.reduce.fmul.v3f64(double, <3 x double>)");
  EXPECT_EQ(product.product(0, {{2}, {3, 5, 7}}, {1}), (Lanes{105}));
  EXPECT_EQ(product.product(1, {{2}, {3, 5, 7}}, {1}), (Lanes{70, 42, 30}));
  EXPECT_EQ(product.product(1, {{2}, {3, 0, 7}}, {1}), (Lanes{0, 42, 0}));
}

TEST(Conversions, GiveAdjointsInTheTypeOfTheOperand) {
  RuleProgram narrow("double %x", "fptrunc double %x to float");
  EXPECT_EQ(narrow.product(0, {1.5}, 0.25), 0.25);
  EXPECT_TRUE(narrow.emit(0).getReturnType()->isDoubleTy());
  RuleProgram widen("float %x", "fpext float %x to double");
  EXPECT_EQ(widen.product(0, {1.5}, 0.25), 0.25);
  EXPECT_TRUE(widen.emit(0).getReturnType()->isFloatTy());
}

TEST(Conversions, GiveTangentsInTheTypeOfTheResult) {
  RuleProgram narrow("double %x", "fptrunc double %x to float");
  llvm::LLVMContext &context = narrow.module().getContext();
  llvm::Function &place = narrow.emit(0);
  llvm::IRBuilder<> builder(place.getEntryBlock().getTerminator());
  llvm::Value *tangent =
      narrow.rule().emit_product(builder, 0, {nullptr}, nullptr, place.getArg(0), engine::ZeroTimesInfinity::undefined);
  EXPECT_EQ(tangent->getType(), llvm::Type::getFloatTy(context));
}

TEST(Reductions, GiveTangentsInTheTypeOfTheResult) {
  RuleProgram sum("double %start, <4 x double> %x",
                  "call double @llvm.vector.reduce.fadd.v4f64(double %start, <4 x double> %x)",
                  "declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)");
  llvm::Function &place = sum.emit(1);
  llvm::IRBuilder<> builder(place.getEntryBlock().getTerminator());
  llvm::Value *tangent = sum.rule().emit_product(builder, 1, {nullptr, nullptr}, nullptr, place.getArg(1),
                                                 engine::ZeroTimesInfinity::undefined);
  EXPECT_TRUE(tangent->getType()->isDoubleTy());
}

} // namespace
} // namespace assay::test
