#include "core/engine/emit/adjoint_slots.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace assay::engine;

namespace {

/// The blocks in which the slot of `@f` becomes zero, in order, with an end behind the name where it does so there.
std::vector<std::string> where_zero(const std::string &body) {
  llvm::LLVMContext context;
  auto module = assay::test::parsed("define double @f(i1 %c, i1 %d, double %x) {\nstart:\n  %slot = alloca double\n"
                                    "  store double 0.0, ptr %slot\n" +
                                        body + "}",
                                    context);
  llvm::Function &function = *module->getFunction("f");
  llvm::StoreInst *zero = nullptr;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> before;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      zero = zero ? zero : store;
      before.insert(store);
    }
  zero_late(zero);
  std::vector<std::string> blocks;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::StoreInst>(instruction) && !before.contains(&instruction))
      blocks.push_back(instruction.getParent()->getName().str() +
                       (instruction.getNextNode()->isTerminator() ? " end" : ""));
  return blocks;
}

using Blocks = std::vector<std::string>;

} // namespace

// Slots that are alive from the start on made compile times grow with the square of the number of branches.
TEST(AdjointSlots, BecomeZeroWhereTheirUsesBegin) {
  EXPECT_EQ(where_zero(R"(  br i1 %c, label %left, label %join
left:
  br label %join
join:
  br i1 %d, label %add, label %take
add:
  store double %x, ptr %slot
  br label %take
take:
  %adjoint = load double, ptr %slot
  ret double %adjoint
)"),
            Blocks{"join end"});
}

// What one iteration adds is for the next.
TEST(AdjointSlots, StayOutsideOfLoops) {
  EXPECT_EQ(where_zero(R"(  br label %before
before:
  br label %loop
loop:
  %old = load double, ptr %slot
  %sum = fadd double %old, %x
  store double %sum, ptr %slot
  br i1 %c, label %loop, label %end
end:
  ret double %sum
)"),
            Blocks{"before end"});
}

// The reverse of a loop with two exits is entered at two places; it is no natural loop.
TEST(AdjointSlots, StayOutsideOfCyclesWithSeveralEntries) {
  EXPECT_EQ(where_zero(R"(  br label %before
before:
  br i1 %c, label %one, label %two
one:
  br i1 %d, label %two, label %end
two:
  %old = load double, ptr %slot
  %sum = fadd double %old, %x
  store double %sum, ptr %slot
  br label %one
end:
  ret double %x
)"),
            Blocks{"before end"});
}

// Of a value of the loop's body, each iteration leaves a zero behind.
TEST(AdjointSlots, BecomeZeroInEachIterationThatTakesWhatItAdds) {
  EXPECT_EQ(where_zero(R"(  br label %loop
loop:
  br i1 %c, label %add, label %skip
add:
  %old = load double, ptr %slot
  %sum = fadd double %old, %x
  store double %sum, ptr %slot
  br label %take
skip:
  br label %take
take:
  %adjoint = load double, ptr %slot
  store double 0.0, ptr %slot
  br i1 %d, label %loop, label %end
end:
  ret double %adjoint
)"),
            (Blocks{"add", "skip end"}));
}

// As calls that may throw between a value and its use: each is a way past the use to where the adjoint is taken.
TEST(AdjointSlots, HoldNothingOnWaysPastTheirUses) {
  EXPECT_EQ(where_zero(R"(  br i1 %c, label %use, label %thrown
use:
  store double %x, ptr %slot
  br label %between
between:
  br label %take
thrown:
  br label %long_way
long_way:
  br label %take
take:
  %adjoint = load double, ptr %slot
  ret double %adjoint
)"),
            Blocks{"long_way end"});
}
