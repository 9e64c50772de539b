// The bits of a number that branches choose are chosen where they can be loaded.
#include "core/engine/prepare/chosen_parts.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::test {
namespace {

/// Whether the float of `@f` is chosen, after a branch in which `other` gives the number.
bool is_float_chosen(const std::string &other) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed(R"(
declare double @g(double)
declare i32 @__gxx_personality_v0(...)
define float @f(ptr %place, double %x, i1 %which) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %which, label %one, label %two
one:
  %loaded = load double, ptr %place
  br label %join
two:
  )" + other + R"(
join:
  %number = phi double [ %loaded, %one ], [ %other, %two ]
  %bits = bitcast double %number to i64
  %low = trunc i64 %bits to i32
  %float = bitcast i32 %low to float
  ret float %float
thrown:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
})",
                                                      context);
  llvm::Function &function = *module->getFunction("f");
  engine::choose_parts(function);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  for (const llvm::BasicBlock &block : function)
    if (const auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      return llvm::isa<llvm::PHINode>(exit->getReturnValue());
  return false;
}

TEST(ChosenParts, bits_that_one_branch_loads_are_chosen) {
  EXPECT_TRUE(is_float_chosen("%other = fmul double %x, %x\n  br i1 %which, label %join, label %thrown2\n"
                              "thrown2:\n  invoke double @g(double %x) to label %unused unwind label %thrown\n"
                              "unused:\n  unreachable"));
}

// They were computed before the call that returns them.
TEST(ChosenParts, bits_that_a_call_returns_on_the_edge_are_not) {
  EXPECT_FALSE(is_float_chosen("%other = invoke double @g(double %x) to label %join unwind label %thrown"));
}

} // namespace
} // namespace assay::test
