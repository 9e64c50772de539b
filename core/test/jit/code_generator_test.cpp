// Would catch: loops and recursion that are taken for code that runs once, and straight code that is taken for loops.

#include "core/jit/code_generator.hpp"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

namespace {

bool is_straight(const char *text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module)
    throw std::runtime_error(diagnostic.getMessage().str());
  return assay::jit::is_straight(*module);
}

TEST(CodeGenerator, TakesBranchesAndCallsForStraight) {
  EXPECT_TRUE(is_straight("declare double @sin(double)\n"
                          "define double @g(double %x) { %s = call double @sin(double %x) ret double %s }\n"
                          "define double @f(double %x, i1 %c) {\n"
                          "  br i1 %c, label %a, label %b\n"
                          "a:\n  %y = call double @g(double %x)\n  br label %b\n"
                          "b:\n  %r = phi double [ %x, %0 ], [ %y, %a ]\n  ret double %r\n}\n"));
}

TEST(CodeGenerator, SeesLoops) {
  EXPECT_FALSE(
      is_straight("define void @f(i1 %c) {\n  br label %l\nl:\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}"));
}

TEST(CodeGenerator, SeesRecursionByWayOfOthers) {
  EXPECT_FALSE(is_straight("define void @f() { call void @g() ret void }\n"
                           "define void @g() { call void @f() ret void }\n"));
}

/// What the pointer points to may be the caller itself.
TEST(CodeGenerator, TrustsCallsThroughPointersOnlyWhereNoneLeadBack) {
  EXPECT_TRUE(is_straight("define void @f(ptr %p) { call void %p() ret void }\n"));
  EXPECT_FALSE(is_straight("@table = constant ptr @f\ndefine void @f(ptr %p) { call void %p() ret void }\n"));
}

} // namespace
