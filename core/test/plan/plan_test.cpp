// Which values of a forward sweep are kept, reloaded, computed again or known in closed form.
#include "core/test/plan/planned_function.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

TEST(Plan, LeavesValuesOfTheStraightLineWhereTheyAre) {
  PlannedFunction planned("define double @f(double %x) {\n"
                          "  %need = fmul double %x, %x\n  ret double %need\n}",
                          Sweeps::combined);
  EXPECT_EQ(planned.storage("need"), Storage::direct);
}

TEST(Plan, ComputesAgainWhatArgumentsGiveWhenTheSweepsAreApart) {
  PlannedFunction planned("define double @f(double %x) {\n"
                          "  %need = fmul double %x, %x\n  ret double %need\n}",
                          Sweeps::split);
  EXPECT_EQ(planned.storage("need"), Storage::recompute);
}

constexpr StringRef loop_over_array = R"(
define double @f(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %total, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %need.x = load double, ptr %place
  %total = fadd double %sum, %need.x
  STORE
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %result = phi double [ %total, %loop ]
  ret double %result
}
)";

std::string with_store(StringRef store) {
  std::string text = loop_over_array.str();
  text.replace(text.find("STORE"), 5, store.str());
  return text;
}

TEST(Plan, ReloadsMemoryThatNothingWrites) {
  PlannedFunction planned(with_store("store double %total, ptr %y"), Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::recompute);
  EXPECT_EQ(planned.storage("i"), Storage::closed_form);
}

TEST(Plan, KeepsWhatIsOverwrittenLater) {
  PlannedFunction planned(with_store("store double %total, ptr %place"), Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::tape);
}

TEST(Plan, KeepsWhatALaterIterationOverwrites) { // the write of this iteration never meets the load
  PlannedFunction planned(
      with_store("%ahead = getelementptr double, ptr %place, i64 -1\n  store double %total, ptr %ahead"),
      Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::tape);
}

TEST(Plan, KeepsTheCallersMemoryWhenTheCallerMayChangeIt) {
  PlannedFunction planned(with_store(""), Sweeps::split);
  EXPECT_EQ(planned.storage("need.x"), Storage::tape);
}

// Sums over %x, stored to %y, in steps.
constexpr StringRef sums_in_steps = R"(
declare void @free(ptr)
define void @f(ptr %x, ptr %y, i64 %n, i1 %c) {
entry:
  br label %step
step:
  %t = phi i64 [ 0, %entry ], [ %t.next, %step.end ]
  br label %outer
outer:
  %i = phi i64 [ 0, %step ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %total, %inner ]
  %place = getelementptr inbounds double, ptr %x, i64 %j
  %need.x = load double, ptr %place
  %total = fadd double %sum, %need.x
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %write
write:
  %stored = phi double [ %total, %inner ]
  %target = getelementptr inbounds double, ptr %y, i64 INDEX
  STORE
  br label %outer.end
outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, COUNT
  br i1 %i.more, label %outer, label %step.end
step.end:
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp ult i64 %t.next, %n
  br i1 %t.more, label %step, label %exit
exit:
  EXIT
  ret void
}
)";

struct Sums {
  StringRef store = "store double %stored, ptr %target";
  StringRef index = "%i", count = "%n", exit = "";

  std::string text() const {
    std::string text = sums_in_steps.str();
    for (auto [mark, replacement] :
         {std::pair(StringRef("STORE"), store), {"INDEX", index}, {"COUNT", count}, {"EXIT", exit}})
      text.replace(text.find(mark.str()), mark.size(), replacement.str());
    return text;
  }
};

TEST(Undo, PutsBackAStoreWhenThatIsCheaperThanToKeepWhatItMayOverwrite) {
  PlannedFunction planned(Sums().text(), Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::recompute);
  EXPECT_TRUE(planned.restored("stored"));
}

TEST(Undo, LeavesMemoryToTheCallerBetweenTheSweeps) {
  PlannedFunction planned(Sums().text(), Sweeps::split);
  EXPECT_EQ(planned.storage("need.x"), Storage::tape);
  EXPECT_FALSE(planned.restored("stored"));
}

TEST(Undo, LeavesVolatileAndAtomicStoresAlone) {
  for (StringRef store :
       {"store volatile double %stored, ptr %target", "store atomic double %stored, ptr %target release, align 8"}) {
    PlannedFunction planned(Sums{.store = store}.text(), Sweeps::combined);
    EXPECT_EQ(planned.storage("need.x"), Storage::tape);
    EXPECT_FALSE(planned.restored("stored"));
  }
}

TEST(Undo, LeavesMemoryAloneThatIsReleasedLater) {
  PlannedFunction planned(Sums{.exit = "call void @free(ptr %y)"}.text(), Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::tape);
  EXPECT_FALSE(planned.restored("stored"));
}

TEST(Undo, KeepsWhatIsReadBehindTheStoreThatOverwritesIt) {
  PlannedFunction planned(R"(
define void @f(ptr %x, ptr %y, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %write ]
  %early = load double, ptr %x
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %place = getelementptr inbounds double, ptr %x, i64 %j
  %need.x = load double, ptr %place
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %write
write:
  %target = getelementptr inbounds double, ptr %y, i64 %i
  store double %early, ptr %target
  %need.late = fmul double %early, %early
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  ret void
}
)",
                          Sweeps::combined);
  EXPECT_EQ(planned.storage("need.x"), Storage::recompute);
  EXPECT_NE(planned.storage("early"), Storage::recompute);
}

TEST(Undo, DoesOnlyTheLastStepAgainWhenAllStepsWriteTheSame) {
  PlannedFunction planned(Sums().text(), Sweeps::combined);
  EXPECT_EQ(planned.restored("stored"), 1u);
}

TEST(Undo, DoesAllStepsAgainWhenTheyWriteElsewhere) {
  EXPECT_EQ(PlannedFunction(Sums{.index = "%t"}.text(), Sweeps::combined).restored("stored"), 1u); // all of one step's
  EXPECT_EQ(PlannedFunction(Sums{.count = "%t"}.text(), Sweeps::combined).restored("stored"), 0u);
}

TEST(Undo, DoesAllStepsAgainWhenSomeDoNotWrite) {
  std::string text = Sums().text();
  text.replace(text.find("br i1 %j.more, label %inner, label %write"), 41,
               "br i1 %j.more, label %inner, label %decide\ndecide:\n"
               "  %lcssa = phi double [ %total, %inner ]\n"
               "  %positive = fcmp ogt double %lcssa, 0.0\n"
               "  br i1 %positive, label %write, label %outer.end");
  text.replace(text.find("%stored = phi double [ %total, %inner ]"), 39, "%stored = fadd double %lcssa, 1.0");
  EXPECT_EQ(PlannedFunction(text, Sweeps::combined).restored("stored"), 0u);
  text.replace(text.find("br i1 %positive"), 15, "br i1 %c");
  EXPECT_EQ(PlannedFunction(text, Sweeps::combined).restored("stored"), 1u);
}

/// %y = twelve sums of neighbours in %x, or in %z, in a loop.
std::string sums_of_neighbours(StringRef second) {
  std::string text = R"(
define void @f(ptr %x, ptr %y, ptr %z) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum0 = fadd double 0.0, 0.0
)";
  for (int k = 1; k <= 12; ++k) {
    const std::string number = std::to_string(k), array = k > 6 ? second.str() : "%x";
    text += "  %index" + number + " = add nuw nsw i64 %i, " + number + "\n";
    text += "  %place" + number + " = getelementptr inbounds double, ptr " + array + ", i64 %index" + number + "\n";
    text += "  %need" + number + " = load double, ptr %place" + number + "\n";
    text += "  %sum" + number + " = fadd double %sum" + std::to_string(k - 1) + ", %need" + number + "\n";
  }
  return text + R"(
  %target = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum12, ptr %target
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)";
}

// Only eight of the loads of an unrolled loop hung on the check; the store was restored for the others.
TEST(Undo, AsksForAllLoadsOfAnUnrolledLoopAtOnce) {
  for (const StringRef second : {"%x", "%z"}) {
    PlannedFunction planned(sums_of_neighbours(second), Sweeps::combined);
    EXPECT_TRUE(planned.restored("sum12"));
    EXPECT_EQ(planned.restored_if("sum12"), 0u);
    EXPECT_EQ(planned.storage("need12"), Storage::recompute);
    EXPECT_EQ(planned.free_unless("loop"), 1u);
  }
}

/// A loop over %x and %y, with BODY in its middle and RESULT behind it.
std::string loop_with(StringRef body, StringRef result = "") {
  return (R"(
define double @f(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %carried = phi double [ 0.0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %place
  %i.next = add nuw nsw i64 %i, 1
  %x.next = getelementptr inbounds double, ptr %x, i64 %i.next
  %target = getelementptr inbounds double, ptr %y, i64 %i
  )" + body +
          R"(
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  )" + result +
          R"(
  ret double 0.0
}
)")
      .str();
}

TEST(OrderIndependence, IsThatOfLoopsWhoseIterationsDoNotMeet) {
  for (const StringRef body : {"%next = fadd double %carried, %v\nstore double %v, ptr %target",
                               "%next = fsub double %carried, %v\nstore double %v, ptr %place",
                               "%square = fmul double %v, %v\n%some = fsub double %carried, %square\n"
                               "%next = fadd double %v, %some\nstore double %square, ptr %target"})
    EXPECT_EQ(
        PlannedFunction(loop_with(body, "%last = phi double [ %next, %loop ]"), Sweeps::combined).free_unless("loop"),
        0u)
        << body.str();
}

TEST(OrderIndependence, IsNotThatOfLoopsWhoseIterationsFollowOnEachOther) {
  for (const StringRef body : {
           "%next = fmul double %carried, %v",                                               // not a sum
           "%next = fsub double %v, %carried",                                               // of changing sign
           "%next = fadd double %carried, %v\nstore double %carried, ptr %target",           // a sum that is used
           "%next = fadd double %carried, %carried",                                         // doubled
           "%next = fadd double %carried, %v\nstore double %v, ptr %x.next",                 // read by the next one
           "%next = fadd double %carried, %v\nstore double %v, ptr %y",                      // the last one stays
           "%next = fadd double %carried, %v\nstore double %v, ptr %target\ncall void @f()", // unknown
       }) {
    std::string text = loop_with(body);
    if (body.contains("call"))
      text = "declare void @g()\n" + text.replace(text.find("@f()"), 4, "@g()");
    EXPECT_EQ(PlannedFunction(text, Sweeps::combined).free_unless("loop"), std::nullopt) << body.str();
  }
}

// The last iteration's value has an adjoint of its own.
TEST(OrderIndependence, IsNotThatOfLoopsWhoseLastValueIsUsed) {
  const StringRef body = "%next = fadd double %carried, %v";
  EXPECT_EQ(PlannedFunction(loop_with(body, "%last = phi double [ %v, %loop ]"), Sweeps::combined).free_unless("loop"),
            std::nullopt);
}

TEST(Control, KnowsTripCountsThatArgumentsGive) {
  PlannedFunction planned(with_store(""), Sweeps::combined);
  ASSERT_EQ(planned.control().loops.size(), 1u);
  const LoopRecord &record = planned.control().loops.begin()->second;
  EXPECT_NE(record.count, nullptr);
  EXPECT_EQ(record.only_exit, planned.block("exit"));
}

TEST(Control, CountsAtTheExitWhatDataDecides) {
  PlannedFunction planned(R"(
define double @f(double %x) {
entry:
  br label %loop
loop:
  %need.v = phi double [ %x, %entry ], [ %half, %loop ]
  %half = fmul double %need.v, 0.5
  %more = fcmp ogt double %half, 1.0
  br i1 %more, label %loop, label %exit
exit:
  %result = phi double [ %half, %loop ]
  ret double %result
}
)",
                          Sweeps::combined);
  const LoopRecord &record = planned.control().loops.begin()->second;
  EXPECT_EQ(record.count, nullptr);
  EXPECT_NE(record.count_for(const_cast<BasicBlock *>(planned.block("exit"))), nullptr);
  EXPECT_EQ(planned.storage("need.v"), Storage::tape);
}

/// A loop over all threads, whose trip count is not known: the counter may wrap around.
constexpr StringLiteral loop_of_threads = R"(
define void @f(ptr noalias %x, ptr noalias %y, i32 %first, i32 %threads, i32 %blocks, i32 %n) {
entry:
  %step = mul i32 %threads, %blocks
  br label %loop
loop:
  %need.i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %place = getelementptr double, ptr %x, i32 %need.i
  %value = load double, ptr %place
  %need = call double @again(double %value)
  store double %need, ptr %y
  %next = add i32 %need.i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare double @again(double) memory(none)
)";

TEST(Control, HasAClosedFormOfCountersWithAnyStepFromBeforeTheLoop) { // not only an argument or a constant
  EXPECT_EQ(PlannedFunction(loop_of_threads, Sweeps::combined).storage("need.i"), Storage::closed_form);
}

TEST(Plan, CallsAgainWhatMayBeCalledAgain) {
  PlannedFunction planned(loop_of_threads, Sweeps::combined);
  EXPECT_EQ(planned.storage("need"), Storage::recompute);
  EXPECT_EQ(planned.storage("value"), Storage::recompute);
}

TEST(Control, DecidesAJoinByTheConditionOfItsBranch) {
  PlannedFunction planned(R"(
define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %v = phi double [ %x, %left ], [ 2.0, %right ]
  ret double %v
}
)",
                          Sweeps::combined);
  const JoinRecord &join = planned.control().joins.at(planned.block("join"));
  EXPECT_EQ(join.selector, planned.value("c"));
  ASSERT_EQ(join.predecessors.size(), 2u);
  EXPECT_EQ(join.predecessors[0], planned.block("right"));
  EXPECT_EQ(join.predecessors[1], planned.block("left"));
}

TEST(Control, RecordsWhereAJoinOfThreeCameFrom) {
  PlannedFunction planned(R"(
define double @f(double %x, i32 %k) {
entry:
  switch i32 %k, label %join [ i32 1, label %one
                               i32 2, label %two ]
one:
  br label %join
two:
  br label %join
join:
  %v = phi double [ %x, %entry ], [ 1.0, %one ], [ 2.0, %two ]
  ret double %v
}
)",
                          Sweeps::combined);
  const JoinRecord &join = planned.control().joins.at(planned.block("join"));
  ASSERT_TRUE(isa_and_nonnull<PHINode>(join.selector));
  EXPECT_EQ(join.predecessors.size(), 3u);
}

} // namespace
} // namespace assay::engine
