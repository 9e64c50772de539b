// Sums whose order is free get a loop of their own beside sums that keep theirs.
#include "core/engine/tidy/separate_sums.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// A sum of products, and the sum of their tangents, over COUNT numbers; parts are replaced before it is parsed.
constexpr llvm::StringRef both_sums = R"(
define double @f(ptr noalias %a, ptr noalias %b, ptr noalias %da, ptr noalias %db, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %tangent = phi double [ 0.0, %entry ], [ %tangent.next, %loop ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %b.place = getelementptr double, ptr %b, i64 %k
  %shifted = mul i64 %k, STRIDE
  %da.place = getelementptr double, ptr %da, i64 %shifted
  %db.place = getelementptr double, ptr %db, i64 %k
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %da.k = load double, ptr %da.place
  %db.k = load double, ptr %db.place
  %product = OPERATION double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %left = fmul double %da.k, %b.k
  %right = fmul double %db.k, FACTOR
  %change = fadd reassoc double %left, %right
  %tangent.next = fadd reassoc double %tangent, %change
  WORK
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, COUNT
  br i1 %more, label %loop, label %exit
exit:
  %all = fadd double %sum.next, %tangent.next
  ret double %all
}
)";

struct Variation {
  std::string count = "%n", stride = "1", operation = "fmul", factor = "%a.k", work = "";
};

/// The kinds of sums of each loop: 'o' keeps its order, 'f' is free.
std::vector<std::string> sums_of_loops(const Variation &variation) {
  std::string text = both_sums.str();
  for (const auto &[mark, word] : {std::pair<std::string, std::string>("COUNT", variation.count),
                                   {"STRIDE", variation.stride},
                                   {"OPERATION", variation.operation},
                                   {"FACTOR", variation.factor},
                                   {"WORK", variation.work}})
    text.replace(text.find(mark), mark.size(), word);
  llvm::LLVMContext context;
  auto module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  {
    Analyses analyses;
    engine::SeparateSumsPass().run(function, analyses.functions);
  }
  if (llvm::verifyModule(*module, &llvm::errs()))
    throw std::runtime_error("the module is broken");
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  std::vector<std::string> kinds;
  for (const llvm::Loop *loop : llvm::reverse(loops.getLoopsInPreorder())) {
    kinds.emplace_back();
    for (const llvm::PHINode &phi : loop->getHeader()->phis())
      if (phi.getType()->isDoubleTy()) {
        const auto *next = llvm::cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop->getLoopLatch()));
        kinds.back() += next->hasAllowReassoc() ? 'f' : 'o';
      }
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

using Sums = std::vector<std::string>;

TEST(SeparateSums, those_whose_order_is_free_get_a_loop_of_their_own) {
  EXPECT_EQ(sums_of_loops({}), (Sums{"f", "o"}));
}

TEST(SeparateSums, one_that_waits_for_the_other_stays_with_it) {
  EXPECT_EQ(sums_of_loops({.factor = "%sum"}), (Sums{"of"}));
}

TEST(SeparateSums, loops_that_write_stay_whole) {
  EXPECT_EQ(sums_of_loops({.work = "store double %product, ptr %a.place"}), (Sums{"of"}));
}

TEST(SeparateSums, loops_that_no_vector_could_read_stay_whole) {
  EXPECT_EQ(sums_of_loops({.stride = "%n"}), (Sums{"of"}));
}

TEST(SeparateSums, what_is_dear_is_not_computed_twice) {
  EXPECT_EQ(sums_of_loops({.operation = "fdiv", .factor = "%product"}), (Sums{"of"}));
  EXPECT_EQ(sums_of_loops({.operation = "fdiv"}), (Sums{"f", "o"})); // only the ordered sum needs the quotient
}

TEST(SeparateSums, few_iterations_are_not_worth_it) {
  EXPECT_EQ(sums_of_loops({.count = "4"}), (Sums{"of"}));
  EXPECT_EQ(sums_of_loops({.count = "40"}), (Sums{"f", "o"}));
}

} // namespace
} // namespace assay::test
