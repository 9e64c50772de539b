// Calls that the emitters may simply repeat in the primal, and calls that they must not overlook.

#include "core/test/rules/rule_program.hpp"
#include <gtest/gtest.h>

namespace assay::test {
namespace {

bool is_free(const std::string &parameters, const std::string &instruction, const std::string &declarations = "") {
  RuleProgram program(parameters, instruction, declarations);
  return engine::is_derivative_free(program.instruction(), program.function_info());
}

TEST(DerivativeFree, FunctionsThatRoundToIntegersOrClassify) {
  EXPECT_TRUE(is_free("double %x", "call i64 @lround(double %x)", "declare i64 @lround(double)"));
  EXPECT_TRUE(is_free("float %x", "call i64 @lrintf(float %x)", "declare i64 @lrintf(float)"));
  EXPECT_TRUE(is_free("double %x", "call i32 @__fpclassify(double %x)", "declare i32 @__fpclassify(double)"));
  EXPECT_TRUE(is_free("double %x", "call i1 @llvm.is.fpclass.f64(double %x, i32 3)",
                      "declare i1 @llvm.is.fpclass.f64(double, i32)"));
  EXPECT_TRUE(is_free("double %x", "call i32 @llvm.fptosi.sat.i32.f64(double %x)",
                      "declare i32 @llvm.fptosi.sat.i32.f64(double)"));
  EXPECT_TRUE(is_free("i32 %x", "sitofp i32 %x to double"));
  EXPECT_TRUE(is_free("double %x", "fcmp olt double %x, 1.0"));
}

TEST(DerivativeFree, ConstrainedConversionsFromAndToIntegers) {
  EXPECT_TRUE(is_free("i32 %x",
                      "call double @llvm.experimental.constrained.sitofp.f64.i32(i32 %x, metadata !\"round.dynamic\", "
                      "metadata !\"fpexcept.ignore\")",
                      "declare double @llvm.experimental.constrained.sitofp.f64.i32(i32, metadata, metadata)"));
  EXPECT_TRUE(is_free("double %x",
                      "call i1 @llvm.experimental.constrained.fcmp.f64(double %x, double %x, metadata !\"olt\", "
                      "metadata !\"fpexcept.ignore\")",
                      "declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)"));
}

TEST(DerivativeFree, IntegerIntrinsics) {
  EXPECT_TRUE(is_free("i32 %x", "call i32 @llvm.ctpop.i32(i32 %x)", "declare i32 @llvm.ctpop.i32(i32)"));
  EXPECT_TRUE(is_free("i32 %x", "call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %x, i32 1)",
                      "declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)"));
}

TEST(DerivativeFree, SearchesWhoseResultIsMeasured) {
  const std::string search = "call ptr @memchr(ptr %p, i32 59, i64 40)",
                    declaration = "declare ptr @memchr(ptr, i32, i64)";
  EXPECT_TRUE(is_free("ptr %p", search + " \"assay_measured_search\"", declaration));
  EXPECT_FALSE(is_free("ptr %p", search, declaration)); // which gives an address that may have a shadow
}

TEST(DerivativeFree, NotFunctionsWithADerivativeNorMemoryNorUnknownOnes) {
  EXPECT_FALSE(is_free("double %x", "call double @sin(double %x)", "declare double @sin(double)"));
  EXPECT_FALSE(is_free("double %x", "call double @mystery(double %x)", "declare double @mystery(double)"));
  EXPECT_FALSE(is_free("ptr %p", "call i32 @mystery(ptr %p)", "declare i32 @mystery(ptr)"));
  EXPECT_FALSE(is_free("ptr %p", "call ptr @llvm.launder.invariant.group.p0(ptr %p)",
                       "declare ptr @llvm.launder.invariant.group.p0(ptr)"));
}

} // namespace
} // namespace assay::test
