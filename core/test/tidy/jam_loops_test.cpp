// Nests whose inner loop walks down columns run several iterations of the outer loop side by side.
#include "core/engine/tidy/jam_loops.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// A row of a product of matrices; parts are replaced before it is parsed.
constexpr llvm::StringRef row_of_product = R"(
define double @f(ptr ATTRIBUTE %a, ptr %b, ptr ATTRIBUTE %c, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.end ]
  %kept = phi double [ 0.0, %entry ], [ %kept.next, %outer.end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %sum.next, %inner ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %row = mul i64 %k, LENGTH
  %b.row = getelementptr double, ptr %b, i64 %row
  %b.place = getelementptr double, ptr %b.row, i64 %j
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %product = OPERATION double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  WORK
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %inner, label %outer.end
outer.end:
  %c.place = getelementptr double, ptr %c, i64 %j
  store double %sum.next, ptr %c.place
  %kept.next = CARRIED
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %outer, label %exit, !llvm.loop !0
exit:
  ret double %kept.next
}
!0 = distinct !{!0, !1}
!1 = !{!"MARK", i32 1}
)";

struct Variation {
  std::string attribute = "noalias", length = "%n", work = "", carried = "fadd double 0.0, 0.0",
              mark = "assay.derivative.loop", operation = "fmul";
};

struct Nests {
  unsigned nests = 0, jammed = 0, wide = 0; ///< `jammed`: inner loops with several sums; `wide`: with a vector of sums.
};
bool operator==(const Nests &a, const Nests &b) {
  return a.nests == b.nests && a.jammed == b.jammed && a.wide == b.wide;
}
void PrintTo(const Nests &nests, std::ostream *out) {
  *out << nests.nests << " nests, " << nests.jammed << " jammed, " << nests.wide << " wide";
}

Nests jammed(const Variation &variation) {
  std::string text = row_of_product.str();
  for (const auto &[mark, word] : {std::pair<std::string, std::string>("ATTRIBUTE", variation.attribute),
                                   {"LENGTH", variation.length},
                                   {"WORK", variation.work},
                                   {"CARRIED", variation.carried},
                                   {"MARK", variation.mark},
                                   {"OPERATION", variation.operation}})
    for (std::size_t place = 0; (place = text.find(mark)) != std::string::npos;)
      text.replace(place, mark.size(), word);
  llvm::LLVMContext context;
  auto module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  {
    Analyses analyses;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InstCombinePass()); // takes away what is carried, but never changes
    passes.addPass(engine::JamLoopsPass());
    passes.run(function, analyses.functions);
  }
  if (llvm::verifyModule(*module, &llvm::errs()))
    throw std::runtime_error("the module is broken");
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  Nests result;
  for (const llvm::Loop *loop : loops) {
    ++result.nests;
    for (const llvm::Loop *inner : *loop) {
      result.wide += llvm::any_of(inner->getHeader()->phis(),
                                  [](const llvm::PHINode &phi) { return phi.getType()->isVectorTy(); });
      result.jammed += llvm::count_if(inner->getHeader()->phis(),
                                      [](const llvm::PHINode &phi) { return phi.getType()->isDoubleTy(); }) > 1;
    }
  }
  return result;
}

TEST(JamLoops, columns_are_walked_down_side_by_side) {
  EXPECT_EQ(jammed({}), (Nests{2, 0, 1})); // and what is left over
}

TEST(JamLoops, a_copy_stays_as_it_was_where_memory_may_overlap) {
  EXPECT_EQ(jammed({.attribute = ""}), (Nests{3, 0, 1}));
}

TEST(JamLoops, what_no_vector_computes_is_written_several_times) {
  EXPECT_EQ(jammed({.operation = "frem"}), (Nests{2, 1}));
  EXPECT_EQ(jammed({.attribute = "", .operation = "frem"}), (Nests{3, 1}));
}

TEST(JamLoops, loops_of_the_program_are_left_alone) {
  EXPECT_EQ(jammed({.mark = "of.the.user"}), (Nests{1, 0}));
}

TEST(JamLoops, rows_need_no_help) {
  EXPECT_EQ(jammed({.length = "1"}), (Nests{1, 0}));
}

TEST(JamLoops, an_iteration_that_waits_for_the_one_before_stays_behind_it) {
  EXPECT_EQ(jammed({.carried = "fadd double %kept, %sum.next"}), (Nests{1, 0}));
}

TEST(JamLoops, one_place_that_all_iterations_write_keeps_their_order) {
  EXPECT_EQ(jammed({.work = "store double %product, ptr %c"}), (Nests{1, 0}));
}

TEST(JamLoops, neighbours_of_what_is_written_keep_the_order) {
  EXPECT_EQ(jammed({.work = "%left = getelementptr double, ptr %b.place, i64 -1\n store double %product, ptr %left"}),
            (Nests{1, 0}));
}

} // namespace
} // namespace assay::test
