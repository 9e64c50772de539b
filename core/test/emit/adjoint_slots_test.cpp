#include "core/engine/emit/adjoint_slots.hpp"
#include "core/test/support/ir.hpp"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>

using namespace assay::engine;

namespace {

/// The block in which the slot of `@f` becomes zero.
std::string where_zero(const std::string &body) {
  llvm::LLVMContext context;
  auto module = assay::test::parsed("define double @f(i1 %c, i1 %d, double %x) {\nstart:\n  %slot = alloca double\n"
                                    "  store double 0.0, ptr %slot\n" +
                                        body + "}",
                                    context);
  llvm::StoreInst *zero = nullptr;
  for (llvm::Instruction &instruction : llvm::instructions(*module->getFunction("f")))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && !zero)
      zero = store;
  zero_late(*module->getFunction("f"), zero);
  EXPECT_EQ(&*zero->getParent()->getFirstNonPHIOrDbg() == zero, zero->getParent()->getName() != "start");
  return zero->getParent()->getName().str();
}

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
            "join");
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
            "before");
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
            "before");
}
