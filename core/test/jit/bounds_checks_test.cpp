// Would catch: accesses beyond arrays that are not heard of, and right ones that are.

#include "core/jit/bounds_checks.hpp"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include <cstddef>
#include <gtest/gtest.h>
#include <string>

namespace {

using namespace assay::jit;

/// How many accesses of the function `f` in this IR are asked about.
std::size_t checks_in(const std::string &ir) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  add_bounds_checks(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  const llvm::Function *handler = module->getFunction("assay_out_of_bounds");
  return handler ? handler->getNumUses() : 0;
}

std::string function(const std::string &body) {
  return "@table = internal global [4 x double] zeroinitializer\n"
         "@elsewhere = external global [4 x double]\n"
         "@local = internal thread_local global [4 x double] zeroinitializer\n"
         "declare ptr @llvm.threadlocal.address.p0(ptr)\n"
         "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
         "define void @f(i64 %i, ptr %p, i1 %c) {\n" +
         body + "  ret void\n}\n";
}

TEST(BoundsChecks, AreThereForWhatIsNotSeenToLieInItsObject) {
  EXPECT_EQ(checks_in(function("  %a = alloca [4 x double]\n"
                               "  %e = getelementptr double, ptr %a, i64 %i\n"
                               "  store double 1.0, ptr %e\n")),
            1U);
  EXPECT_EQ(checks_in(function("  %e = getelementptr double, ptr @table, i64 %i\n"
                               "  %v = load double, ptr %e\n")),
            1U);
  EXPECT_EQ(checks_in(function("  %t = call ptr @llvm.threadlocal.address.p0(ptr @local)\n"
                               "  %e = getelementptr double, ptr %t, i64 %i\n"
                               "  store double 1.0, ptr %e\n")),
            1U);
  EXPECT_EQ(checks_in(function("  %a = alloca double, i64 %i\n"
                               "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %i, i1 false)\n")),
            1U);
  EXPECT_EQ(checks_in(function("  store double 1.0, ptr getelementptr (double, ptr @table, i64 4)\n")), 1U);
}

TEST(BoundsChecks, AreNotWhereTheAccessLiesInIt) {
  EXPECT_EQ(checks_in(function("  store double 1.0, ptr getelementptr (double, ptr @table, i64 3)\n")), 0U);
  EXPECT_EQ(checks_in(function("  %a = alloca [4 x double]\n"
                               "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 false)\n")),
            0U);
}

TEST(BoundsChecks, AreNotWhereTheObjectIsNotKnown) {
  EXPECT_EQ(checks_in(function("  %e = getelementptr double, ptr %p, i64 %i\n"
                               "  store double 1.0, ptr %e\n")),
            0U);
  EXPECT_EQ(checks_in(function("  %e = getelementptr double, ptr @elsewhere, i64 %i\n"
                               "  store double 1.0, ptr %e\n")),
            0U);
  EXPECT_EQ(checks_in(function("  %s = select i1 %c, ptr @table, ptr %p\n"
                               "  %e = getelementptr double, ptr %s, i64 %i\n"
                               "  store double 1.0, ptr %e\n")),
            0U);
}

TEST(BoundsChecks, FollowAPointerAroundALoop) {
  EXPECT_EQ(checks_in("define void @f(i64 %n) {\n"
                      "entry:\n"
                      "  %a = alloca double, i64 %n\n"
                      "  br label %loop\n"
                      "loop:\n"
                      "  %p = phi ptr [ %a, %entry ], [ %q, %loop ]\n"
                      "  %k = phi i64 [ 0, %entry ], [ %l, %loop ]\n"
                      "  store double 1.0, ptr %p\n"
                      "  %q = getelementptr double, ptr %p, i64 1\n"
                      "  %l = add i64 %k, 1\n"
                      "  %c = icmp ult i64 %k, %n\n"
                      "  br i1 %c, label %loop, label %end\n"
                      "end:\n"
                      "  ret void\n}\n"),
            1U);
}

} // namespace
