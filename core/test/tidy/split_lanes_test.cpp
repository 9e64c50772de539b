// Loops over more lanes than there are registers for become several, each for a few lanes.
#include "core/engine/tidy/split_lanes.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

/// A loop over numbers a and b, which are `shared` by all lanes, and over those of each lane. LANE in `work` and
/// `result` is the number of a lane.
struct Variation {
  unsigned lanes = 8;
  std::string result = "%left = fmul double %x, %b.k\n%right = fmul double %y, %a.k\n"
                       "%change = fadd reassoc double %left, %right\n%sum.next = fadd reassoc double %sum, %change\n",
              primal = "", attribute = "", step = "%k", mark = "assay.derivative.loop", count = "%n",
              shared = "%factor = fmul double %a.k, %b.k\n";
};

std::string with_number(std::string text, unsigned lane) {
  for (const std::string name : {"%x", "%y", "%left", "%right", "%change", "%sum.next", "%sum", "%place"})
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
      const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      if (after == '.' || std::isalnum(static_cast<unsigned char>(after)))
        continue;
      text.insert(at + name.size(), "." + std::to_string(lane));
    }
  return text;
}

std::string metadata(unsigned lanes, const std::string &mark) {
  std::string text = "!0 = distinct !{!0, !1}\n!1 = !{!\"" + mark +
                     "\", i32 1}\n!2 = distinct !{!2, !\"assay\"}\n"
                     "!3 = distinct !{!3, !2, !\"primal\"}\n!4 = !{!3}\n";
  const auto scope = [](unsigned lane) { return lane == 0 ? std::string("!3") : "!" + std::to_string(10 + lane); };
  for (unsigned lane = 0; lane <= lanes; ++lane) {
    std::string others;
    for (unsigned other = 0; other <= lanes; ++other)
      if (other != lane)
        others += (others.empty() ? "" : ", ") + scope(other);
    if (lane > 0)
      text += scope(lane) + " = distinct !{" + scope(lane) + ", !2, !\"lane\"}\n!" + std::to_string(30 + lane) +
              " = !{" + scope(lane) + "}\n";
    text += "!" + std::to_string(50 + lane) + " = !{" + others + "}\n";
  }
  return text;
}

std::string program(const Variation &variation) {
  std::string parameters, phis, loads, results, sum = "0.0", sums;
  for (unsigned lane = 1; lane <= variation.lanes; ++lane) {
    const std::string n = std::to_string(lane);
    const std::string scopes =
        ", !alias.scope !" + std::to_string(30 + lane) + ", !noalias !" + std::to_string(50 + lane);
    parameters += ", ptr %da." + n + ", ptr %db." + n;
    phis += "%sum." + n + " = phi double [ 0.0, %entry ], [ %sum.next." + n + ", %loop ]\n";
    loads += "%da.place." + n + " = getelementptr double, ptr %da." + n + ", i64 " + variation.step + "\n%x." + n +
             " = load double, ptr %da.place." + n + scopes + "\n%place." + n + " = getelementptr double, ptr %db." + n +
             ", i64 %k\n%y." + n + " = load double, ptr %place." + n + scopes + "\n";
    results += with_number(variation.result, lane);
    sums += "%all." + n + " = fadd double " + sum + ", %sum.next." + n + "\n";
    sum = "%all." + n;
  }
  return "define double @f(ptr " + variation.attribute + " %a, ptr %b" + parameters +
         ", i64 %n) {\nentry:\n  br label %loop\n" + "loop:\n%k = phi i64 [ 0, %entry ], [ %next, %loop ]\n" + phis +
         "%a.place = getelementptr double, ptr %a, i64 %k\n%a.k = load double, ptr %a.place, !alias.scope !4, !noalias "
         "!50\n"
         "%b.place = getelementptr double, ptr %b, i64 %k\n%b.k = load double, ptr %b.place, !alias.scope !4, !noalias "
         "!50\n"
         "%square = mul i64 %k, %k\n" +
         variation.shared + loads + results + variation.primal +
         "\n%next = add nuw nsw i64 %k, 1\n%more = icmp ult i64 %next, " + variation.count +
         "\nbr i1 %more, label %loop, label %exit, !llvm.loop !0\nexit:\n" + sums + "ret double " + sum + "\n}\n" +
         metadata(variation.lanes, variation.mark);
}

/// What `count` says of each loop that the pass makes of a program: in descending order.
std::vector<unsigned> counts_of_loops(const std::string &text, llvm::function_ref<unsigned(const llvm::Loop &)> count) {
  llvm::LLVMContext context;
  auto module = parsed(text, context);
  llvm::Function &function = *module->getFunction("f");
  {
    Analyses analyses;
    engine::SplitLanesPass().run(function, analyses.functions);
  }
  if (llvm::verifyModule(*module, &llvm::errs()))
    throw std::runtime_error("the module is broken");
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  std::vector<unsigned> counts;
  for (const llvm::Loop *loop : loops)
    counts.push_back(count(*loop));
  std::sort(counts.rbegin(), counts.rend());
  return counts;
}

/// For each loop, of how many lanes it loads something: in descending order.
std::vector<unsigned> lanes_of_loops(const Variation &variation) {
  return counts_of_loops(program(variation), [](const llvm::Loop &loop) {
    return llvm::count_if(*loop.getHeader(), [](const llvm::Instruction &instruction) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      return load && load->getPointerOperand()->getName().starts_with("place");
    });
  });
}

using Counts = std::vector<unsigned>;

TEST(SplitLanes, addresses_that_do_not_fit_into_registers_get_loops_of_their_own) {
  EXPECT_EQ(lanes_of_loops({}), (Counts{4, 4}));
}

TEST(SplitLanes, few_lanes_stay_together) {
  EXPECT_EQ(lanes_of_loops({.lanes = 4}), (Counts{4}));
}

TEST(SplitLanes, numbers_that_wait_for_the_iteration_before_stay_together) {
  EXPECT_EQ(lanes_of_loops({.result = "%left = fmul double %sum, %x\n%sum.next = fadd reassoc double %left, %y\n"}),
            (Counts{8}));
}

TEST(SplitLanes, what_is_dear_is_computed_once) {
  EXPECT_EQ(lanes_of_loops({.result = "%left = fmul double %x, %factor\n%right = fmul double %left, %y\n"
                                      "%sum.next = fadd reassoc double %sum, %right\n",
                            .shared = "%factor = fdiv double %a.k, %b.k\n"}),
            (Counts{8}));
}

TEST(SplitLanes, what_is_read_here_and_there_stays_together) {
  EXPECT_EQ(lanes_of_loops({.step = "%square"}), (Counts{8}));
}

TEST(SplitLanes, the_primal_writes_in_a_loop_of_its_own) {
  // Where a and b overlap, a copy runs as it was.
  const std::string store = "store double %factor, ptr %a.place, !alias.scope !4, !noalias !50\n";
  EXPECT_EQ(lanes_of_loops({.primal = store}), (Counts{8, 4, 4, 0}));
  EXPECT_EQ(lanes_of_loops({.primal = store, .attribute = "noalias"}), (Counts{4, 4, 0}));
}

TEST(SplitLanes, what_the_primal_has_written_is_not_read_before) {
  const std::string store = "%ahead = getelementptr double, ptr %a.place, i64 1\n"
                            "store double %factor, ptr %ahead, !alias.scope !4, !noalias !50\n";
  EXPECT_EQ(lanes_of_loops({.primal = store, .attribute = "noalias"}), (Counts{8}));
}

TEST(SplitLanes, few_iterations_are_not_worth_it) {
  EXPECT_EQ(lanes_of_loops({.count = "4"}), (Counts{8}));
}

TEST(SplitLanes, loops_of_the_program_are_left_alone) {
  EXPECT_EQ(lanes_of_loops({.mark = "of.the.user"}), (Counts{8}));
}

/// Sums of products with rows of a matrix, and rows of another one that the same number is added to.
struct Rows {
  unsigned rows = 16;
  std::string flags = "reassoc", attribute = "noalias", work = "", function = "fmul double %x.k, 0.5";
};

std::string program(const Rows &variation) {
  std::string phis, body, sum = "0.0", sums;
  for (unsigned row = 0; row < variation.rows; ++row) {
    const std::string n = std::to_string(row);
    phis += "%sum." + n + " = phi double [ 0.0, %entry ], [ %sum.next." + n + ", %loop ]\n";
    body += "%row." + n + " = getelementptr i8, ptr %a.place, i64 " + std::to_string(row * 8 * 32) + "\n%a." + n +
            " = load double, ptr %row." + n + "\n%product." + n + " = fmul double %a." + n + ", %factor\n%sum.next." +
            n + " = fadd " + variation.flags + " double %sum." + n + ", %product." + n + "\n";
    body += "%b.row." + n + " = getelementptr [32 x i64], ptr %b.place, i64 " + n + "\n%b." + n +
            " = load double, ptr %b.row." + n + "\n%b.next." + n + " = fadd double %b." + n +
            ", %factor\nstore double %b.next." + n + ", ptr %b.row." + n + "\n";
    sums += "%all." + n + " = fadd double " + sum + ", %sum.next." + n + "\n";
    sum = "%all." + n;
  }
  return "define double @f(ptr noalias %a, ptr " + variation.attribute + " %b, ptr " + variation.attribute +
         " %x, i64 %n) {\nentry:\n  br label %loop\nloop:\n%k = phi i64 [ 0, %entry ], [ %next, %loop ]\n" + phis +
         "%x.place = getelementptr double, ptr %x, i64 %k\n%x.k = load double, ptr %x.place\n%factor = " +
         variation.function +
         "\n%a.place = getelementptr double, ptr %a, i64 %k\n%b.place = getelementptr double, ptr %b, i64 %k\n" + body +
         variation.work +
         "%next = add nuw nsw i64 %k, 1\n%more = icmp ult i64 %next, 32\nbr i1 %more, label %loop, label %exit, "
         "!llvm.loop "
         "!0\nexit:\n" +
         sums + "ret double " + sum + "\n}\n!0 = distinct !{!0, !1}\n!1 = !{!\"assay.derivative.loop\", i32 1}\n";
}

/// How many sums each loop has, in descending order.
std::vector<unsigned> sums_of_loops(const Rows &variation) {
  return counts_of_loops(program(variation), [](const llvm::Loop &loop) {
    return llvm::count_if(loop.getHeader()->phis(),
                          [](const llvm::PHINode &phi) { return phi.getType()->isDoubleTy(); });
  });
}

TEST(SplitLanes, sums_that_do_not_fit_into_registers_get_loops_of_their_own) {
  EXPECT_EQ(sums_of_loops({}), (Counts{8, 8, 0, 0})); // the last two add to rows
}

TEST(SplitLanes, few_sums_stay_together) {
  EXPECT_EQ(sums_of_loops({.rows = 8}), (Counts{8}));
}

TEST(SplitLanes, sums_that_keep_their_order_stay_together) {
  EXPECT_EQ(sums_of_loops({.flags = ""}), (Counts{16}));
}

TEST(SplitLanes, what_all_sums_need_is_dear) {
  EXPECT_EQ(sums_of_loops({.function = "fdiv double 1.0, %x.k"}), (Counts{16}));
}

TEST(SplitLanes, what_all_sums_read_is_overwritten_after_the_last) {
  EXPECT_EQ(sums_of_loops({.work = "store double 0.0, ptr %x.place\n"}), (Counts{8, 8, 0, 0, 0}));
  EXPECT_EQ(
      sums_of_loops({.work = "%ahead = getelementptr double, ptr %x.place, i64 1\nstore double 0.0, ptr %ahead\n"}),
      (Counts{16}));
}

TEST(SplitLanes, rows_that_may_be_what_sums_are_made_of_are_asked_about) {
  EXPECT_EQ(sums_of_loops({.attribute = ""}), (Counts{16, 8, 8, 0, 0}));
}

} // namespace
} // namespace assay::test
