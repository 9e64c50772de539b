// Vector loads of different things become loads of each.
#include "core/engine/prepare/split_vector_loads.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace assay::test {
namespace {

/// How often each type is loaded after the step.
std::map<std::string, int> loaded_types(llvm::StringRef text) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  engine::split_vector_loads(function);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::map<std::string, int> loads;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::LoadInst>(instruction)) {
      std::string type;
      llvm::raw_string_ostream(type) << *instruction.getType();
      ++loads[type];
    }
  return loads;
}

using Loads = std::map<std::string, int>;

// A node of a list, number and link, is read in a loop and used behind it. The number had no derivative.
TEST(SplitVectorLoads, lanes_may_leave_a_loop_as_integers_of_which_one_is_a_number) {
  EXPECT_EQ(loaded_types(R"(
define double @f(ptr %node, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %both = load <2 x i64>, ptr %node, align 8
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %last = phi <2 x i64> [ %both, %loop ]
  %numbers = bitcast <2 x i64> %last to <2 x double>
  %number = extractelement <2 x double> %numbers, i64 0
  %bits = extractelement <2 x i64> %last, i64 1
  %link = inttoptr i64 %bits to ptr
  store double 1.0, ptr %link
  ret double %number
})"),
            (Loads{{"double", 1}, {"ptr", 1}}));
}

TEST(SplitVectorLoads, a_vector_of_numbers_stays_one) {
  EXPECT_EQ(loaded_types(R"(
define double @f(ptr %numbers) {
  %both = load <2 x double>, ptr %numbers, align 8
  %one = extractelement <2 x double> %both, i64 0
  %other = extractelement <2 x double> %both, i64 1
  %sum = fadd double %one, %other
  ret double %sum
})"),
            (Loads{{"<2 x double>", 1}}));
}

TEST(SplitVectorLoads, a_lane_that_nobody_looks_at_is_not_loaded) {
  EXPECT_EQ(loaded_types(R"(
define double @f(ptr %numbers) {
  %both = load <2 x double>, ptr %numbers, align 8
  %one = extractelement <2 x double> %both, i64 1
  ret double %one
})"),
            (Loads{{"double", 1}}));
}

} // namespace
} // namespace assay::test
