// Loads of one place leave a loop whose stores never reach it.
#include "core/engine/tidy/hoist_loads.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// A row is changed by what one of its numbers says; parts are replaced before it is parsed.
constexpr llvm::StringRef row = R"(
define void @f(ptr %row, ptr %other, i64 %k, i64 %n) {
entry:
  %fixed = getelementptr double, ptr %row, i64 %k
  %start = add i64 %k, START
  br label %loop
loop:
  %j = phi i64 [ %start, %entry ], [ %next, %loop ]
  BEFORE
  %factor = load double, ptr %fixed
  %place = getelementptr double, ptr %row, i64 %j
  %number = load double, ptr %place
  %product = fmul double %number, %factor
  store double %product, ptr %place
  %next = add i64 %j, STEP
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
declare void @stop()
!0 = distinct !{!0, !1}
!1 = !{!"MARK", i32 1}
)";

struct Variation {
  std::string start = "1", step = "1", before = "", mark = "assay.derivative.loop";
};

bool leaves(const Variation &variation) {
  std::string text = row.str();
  for (const auto &[mark, word] : {std::pair<std::string, std::string>("START", variation.start),
                                   {"STEP", variation.step},
                                   {"BEFORE", variation.before},
                                   {"MARK", variation.mark}})
    text.replace(text.find(mark), mark.size(), word);
  llvm::LLVMContext context;
  auto module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  {
    Analyses analyses;
    engine::HoistLoadsPass().run(function, analyses.functions);
  }
  if (llvm::verifyModule(*module, &llvm::errs()))
    throw std::runtime_error("the module is broken");
  return llvm::any_of(function.getEntryBlock(),
                      [](const llvm::Instruction &instruction) { return llvm::isa<llvm::LoadInst>(instruction); });
}

TEST(HoistLoads, a_place_that_stores_move_away_from_is_read_once) {
  EXPECT_TRUE(leaves({}));
  EXPECT_TRUE(leaves({.start = "-1", .step = "-1"}));
}

TEST(HoistLoads, a_place_that_a_store_reaches_is_read_again) {
  EXPECT_FALSE(leaves({.start = "0"}));
  EXPECT_FALSE(leaves({.start = "-1"}));
  EXPECT_FALSE(leaves({.step = "-1"}));
  EXPECT_FALSE(leaves({.start = "%n"}));
}

TEST(HoistLoads, another_store_may_reach_it) {
  EXPECT_FALSE(leaves({.before = "store double 1.0, ptr %other"}));
}

TEST(HoistLoads, what_may_stop_the_program_is_not_passed) {
  EXPECT_FALSE(leaves({.before = "call void @stop() memory(none)"}));
}

TEST(HoistLoads, loops_of_the_program_are_left_alone) {
  EXPECT_FALSE(leaves({.mark = "of.the.user"}));
}

} // namespace
} // namespace assay::test
