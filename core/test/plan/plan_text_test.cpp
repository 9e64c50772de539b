// The plan as text: one line for each decision.
#include "core/test/plan/planned_function.hpp"

namespace assay::engine {
namespace {

/// A nest in which the inner loop's value is overwritten afterwards. OUTER and INNER are the bounds.
std::string nest(StringRef outer, StringRef inner) {
  std::string text = R"(
define void @f(ptr noalias %x, ptr noalias %y, i64 %n, i64 %m, i64 %k) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %place = getelementptr inbounds double, ptr %x, i64 %j
  %value = load double, ptr %place
  %need = call double @g(double %value)
  store double %need, ptr %place
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, INNER
  br i1 %j.more, label %inner, label %outer.end
outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, OUTER
  br i1 %i.more, label %outer, label %exit
exit:
  ret void
}
declare double @g(double) memory(none)
)";
  for (auto [mark, bound] : {std::pair("OUTER", outer), std::pair("INNER", inner)})
    text.replace(text.find(mark), 5, bound.str());
  return text;
}

bool has_line(const std::string &text, const std::string &line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(PlanText, NamesTheStorageOfEachValue) {
  const std::string text = PlannedFunction(nest("%n", "%m"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text, "tape: %need = call double @g(double %value)")) << text;
}

TEST(PlanText, GivesTheBytesOfASegmentAsAFormulaOfIterations) {
  const std::string text = PlannedFunction(nest("%n", "%m"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text,
                       "segment of %inner: 8 * iterations of %inner * iterations of %outer bytes, reserved before "
                       "%outer on the memory stack: %need"))
      << text;
}

TEST(PlanText, TakesTheSegmentFromTheHeapWhereTheSweepsAreApart) {
  const std::string text = PlannedFunction(nest("%n", "%m"), Sweeps::split).text();
  EXPECT_TRUE(has_line(text,
                       "segment of %inner: 8 * iterations of %inner * iterations of %outer bytes, reserved before "
                       "%outer: %need"))
      << text;
}

/// The program may release a tape that it holds, or use it in another thread.
TEST(PlanText, TakesTapesFromTheThreadsPoolWhereDerivativesCallEachOther) {
  const std::string text = PlannedFunction(nest("%n", "%m"), Sweeps::split_in_derivative).text();
  EXPECT_TRUE(has_line(text,
                       "segment of %inner: 8 * iterations of %inner * iterations of %outer bytes, reserved before "
                       "%outer in the thread's pool: %need"))
      << text;
  EXPECT_TRUE(has_line(text, "frame in the thread's pool")) << text;
  EXPECT_EQ(PlannedFunction(nest("%n", "%m"), Sweeps::split).text().find("pool"), std::string::npos);
}

/// Blocks of the pool lie at multiples of 16.
TEST(PlanText, TakesFramesOfStricterAlignmentFromTheHeap) {
  const std::string text = PlannedFunction("define double @f(double %x) {\n"
                                           "  %memory = alloca [4 x double], align 64\n"
                                           "  store double %x, ptr %memory\n"
                                           "  %need = load double, ptr %memory\n  ret double %need\n}",
                                           Sweeps::split_in_derivative)
                               .text();
  EXPECT_EQ(text.find("pool"), std::string::npos) << text;
}

TEST(PlanText, GivesSmallConstantLoopsAnArray) {
  const std::string text = PlannedFunction(nest("4", "3"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text, "fixed in %inner: 8 * 12 bytes: %need")) << text;
}

/// A loop that halves a number, and keeps the result of a call in each iteration.
std::string halving(StringRef triple) {
  return ("target triple = \"" + triple + R"("
define void @f(i32 %n, ptr %place) {
entry:
  br label %loop
loop:
  %number = phi i32 [ %n, %entry ], [ %half, %loop ]
  %need = call double @g(i32 %number)
  %half = lshr i32 %number, 1
  %more = icmp ugt i32 %half, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare double @g(i32) memory(none)
)")
      .str();
}

TEST(PlanText, GivesLoopsWithASmallBoundAnArrayOnADevice) {
  const std::string text = PlannedFunction(halving("nvptx64-nvidia-cuda"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text, "fixed in %loop: 8 * 33 bytes: %need")) << text;
}

TEST(PlanText, GivesLoopsWithASmallBoundAGrowingTapeOnTheHost) {
  const std::string text = PlannedFunction(halving("x86_64-pc-linux-gnu"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text, "record of %loop: 8 bytes an iteration: %need")) << text;
}

TEST(PlanText, GivesLargeConstantLoopsASegment) {
  const std::string text = PlannedFunction(nest("4", "1000"), Sweeps::combined).text();
  EXPECT_TRUE(has_line(text,
                       "segment of %inner: 8 * iterations of %inner * iterations of %outer bytes, reserved before "
                       "%outer on the memory stack: %need"))
      << text;
}

// The loop ends when data says so: no count is known on entry.
TEST(PlanText, GivesLoopsWithoutACountOneRecordAnIteration) {
  const std::string text = PlannedFunction(R"(
define double @f(ptr %x, double %limit) {
entry:
  br label %loop
loop:
  %need = phi double [ 1.0, %entry ], [ %next, %loop ]
  %next = fmul double %need, 1.5
  %more = fcmp olt double %next, %limit
  br i1 %more, label %loop, label %exit
exit:
  ret double %next
}
)",
                                           Sweeps::combined)
                               .text();
  EXPECT_TRUE(has_line(text, "record of %loop: 8 bytes an iteration: %need")) << text;
}

// Would catch: calls that only disappear once code is written.
TEST(PlanText, NamesCallsWhoseResultsAreKept) {
  const std::string text = PlannedFunction(R"(
declare double @cos(double) memory(none)
declare double @pow(double, double) memory(none)
declare double @noise(double)
define double @f(double %limit) {
entry:
  br label %loop
loop:
  %need.x = phi double [ 1.0, %entry ], [ %next, %loop ]
  %need.y = call double @cos(double %need.x)
  %need.two = call double @pow(double %need.x, double %need.x)
  %need.noise = call double @noise(double %need.x)
  %sum = fadd double %need.two, %need.noise
  %next = fadd double %sum, %need.y
  %more = fcmp olt double %next, %limit
  br i1 %more, label %loop, label %exit
exit:
  ret double %next
}
)",
                                           Sweeps::combined)
                               .text();
  EXPECT_TRUE(has_line(text, "read in place of a call of @cos with %need.x: %need.y")) << text;
  EXPECT_EQ(text.find("a call of @pow"), std::string::npos) << text;
  EXPECT_EQ(text.find("a call of @noise"), std::string::npos) << text;
}

TEST(PlanText, NamesStackMemoryThatMovesIntoTheFrame) {
  const std::string text = PlannedFunction("define double @f(double %x) {\n"
                                           "  %memory = alloca [4 x double]\n"
                                           "  store double %x, ptr %memory\n"
                                           "  %need = load double, ptr %memory\n  ret double %need\n}",
                                           Sweeps::split)
                               .text();
  EXPECT_TRUE(has_line(text, "frame: %memory: 32 bytes")) << text;
}

TEST(PlanText, NamesSumsInRegistersAndLoopsInAnyOrder) {
  const std::string text = PlannedFunction(R"(
define void @f(ptr noalias %x, ptr noalias %y, ptr noalias %factor, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds double, ptr %x, i64 %i
  %target = getelementptr inbounds double, ptr %y, i64 %i
  %need.x = load double, ptr %place
  %need.scale = load double, ptr %factor
  %value = fmul double %need.x, %need.scale
  store double %value, ptr %target
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)",
                                           Sweeps::combined)
                               .text();
  EXPECT_TRUE(has_line(text, "sum of %need.scale over %loop")) << text;
  EXPECT_TRUE(has_line(text, "any order of %loop")) << text;
}

// The check is a description: planning writes nothing.
TEST(PlanText, DescribesOverlapChecks) {
  const std::string program = R"(
define void @f(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds double, ptr %x, i64 %i
  %need = load double, ptr %place
  %square = fmul double %need, %need
  %target = getelementptr inbounds double, ptr %y, i64 %i
  store double %square, ptr %target
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)";
  const PlannedFunction planned(program, Sweeps::combined);
  const std::string text = planned.text();
  const std::string bounds = "[(0 smin (-8 + (8 * (1 umax %n)))), (0 smax (-8 + (8 * (1 umax %n)))) + 8)";
  EXPECT_TRUE(has_line(text, "overlap 0: %y + " + bounds + " against %x + " + bounds + ", before the end of %entry"))
      << text;
  EXPECT_TRUE(has_line(text, "any order of %loop unless overlap 0")) << text;
  EXPECT_EQ(planned.value("overlap"), nullptr);
}

// A triangle: the inner loop is not entered in the last row, where its count would be -1 in 32 bits.
TEST(PlanText, OverlapChecksOfTrianglesEndWithTheirLastElement) {
  const std::string program = R"(
define void @f(ptr %x, ptr %y) {
entry:
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %below, %row.end ]
  %below = add nuw nsw i32 %i, 1
  %row = mul nuw nsw i32 %i, 4
  %is.entered = icmp samesign ult i32 %i, 3
  br i1 %is.entered, label %enter, label %row.end
enter:
  br label %columns
columns:
  %j = phi i32 [ %below, %enter ], [ %next, %columns ]
  %element = add nuw nsw i32 %row, %j
  %index = zext nneg i32 %element to i64
  %place = getelementptr inbounds double, ptr %x, i64 %index
  %need = load double, ptr %place
  %square = fmul double %need, %need
  %target = getelementptr inbounds double, ptr %y, i64 %index
  store double %square, ptr %target
  %next = add nuw nsw i32 %j, 1
  %is.end = icmp eq i32 %next, 4
  br i1 %is.end, label %leave, label %columns
leave:
  br label %row.end
row.end:
  %is.last = icmp eq i32 %below, 4
  br i1 %is.last, label %exit, label %rows
exit:
  ret void
}
)";
  const std::string text = PlannedFunction(program, Sweeps::combined).text();
  EXPECT_TRUE(has_line(text, "overlap 0: %y + [8, 120 + 8) against %x + [8, 120 + 8), before the end of %entry"))
      << text;
}

// What a caller has to keep for the reverse half of a split derivative.
TEST(PlanText, NamesTheArgumentsThatTheReverseSweepReads) {
  const std::string text = PlannedFunction("define double @f(double %x, double %y, double %z) {\n"
                                           "  %need = fmul double %x, %x\n"
                                           "  %sum = fadd double %need, %y\n  ret double %sum\n}",
                                           Sweeps::split)
                               .text();
  EXPECT_TRUE(has_line(text, "argument: double %x")) << text;
  EXPECT_FALSE(has_line(text, "argument: double %y")) << text;
  EXPECT_FALSE(has_line(text, "argument: double %z")) << text;
}

} // namespace
} // namespace assay::engine
