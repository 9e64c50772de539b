// Loops that call rare functions get a copy that does, and do not any more.
#include "core/engine/tidy/overlap_loop_versioning.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// Two nested loops; CALLEE is called on %CONDITION in the inner one, and what was summed up is returned.
constexpr llvm::StringRef nest = R"(
declare void @rare() "assay-rare"
declare void @usual()
define double @f(ptr %x, i64 %n, i1 %c) "assay-overlap-loop-versioning" {
entry:
  %same = freeze i1 %c
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %kept = phi double [ 0.0, %entry ], [ %sum, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.end ]
  %partial = phi double [ %kept, %outer ], [ %sum, %inner.end ]
  %changing = icmp eq i64 %j, 3
  %start = select i1 %CONDITION, i64 1, i64 %j
  %place = getelementptr double, ptr %x, i64 %start
  %value = load double, ptr %place
  %sum = fadd double %partial, %value
  br i1 %CONDITION, label %work, label %inner.end
work:
  call void @CALLEE()
  br label %inner.end
inner.end:
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %outer.end
outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  ret double %sum
}
)";

struct Separated {
  unsigned nests = 0, calls = 0, uses_of_condition = 0;
};

Separated separated(std::string condition, std::string callee) {
  std::string text = nest.str();
  for (const auto &[mark, word] : {std::pair(std::string("CONDITION"), condition), {"CALLEE", callee}})
    for (std::size_t place = 0; (place = text.find(mark)) != std::string::npos;)
      text.replace(place, mark.size(), word);
  llvm::LLVMContext context;
  auto module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  {
    Analyses analyses;
    engine::OverlapLoopVersioningPass().run(function, analyses.functions);
  }
  if (llvm::verifyModule(*module, &llvm::errs()))
    throw std::runtime_error("the module is broken");
  Separated result;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop *loop : loops) {
    ++result.nests;
    for (const llvm::BasicBlock *block : loop->blocks())
      for (const llvm::Instruction &instruction : *block) {
        const bool dead = block->getSinglePredecessor() && [&] {
          const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getSinglePredecessor()->getTerminator());
          return branch && branch->isConditional() && llvm::isa<llvm::ConstantInt>(branch->getCondition());
        }();
        result.calls += llvm::isa<llvm::CallInst>(instruction) && !dead;
        result.uses_of_condition +=
            llvm::any_of(instruction.operands(), [](const llvm::Use &use) { return use->getName() == "same"; });
      }
  }
  return result;
}

TEST(OverlapLoopVersioning, rare_work_is_left_to_a_copy_of_the_nest) {
  const Separated result = separated("same", "rare");
  EXPECT_EQ(result.nests, 2u);
  EXPECT_EQ(result.calls, 1u);
  EXPECT_EQ(result.uses_of_condition, 2u); // of the copy: a branch and a select
}

TEST(OverlapLoopVersioning, what_changes_in_the_loop_is_asked_there) {
  EXPECT_EQ(separated("changing", "rare").nests, 1u);
}

TEST(OverlapLoopVersioning, work_of_the_users_is_left_alone) {
  EXPECT_EQ(separated("same", "usual").nests, 1u);
}

} // namespace
} // namespace assay::test
