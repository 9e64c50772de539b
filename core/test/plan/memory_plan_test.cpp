// Who releases what a gradient allocates, decided before anything is written.
#include "core/engine/plan/memory_plan.hpp"
#include "core/test/analysis/parsed_function.hpp"

namespace assay::engine {
namespace {

enum class Sweeps { combined, split };

std::string memory_plan(const std::string &ir, const std::string &activities, Sweeps sweeps) {
  test::Analysed f(ir, activities);
  std::string text;
  llvm::raw_string_ostream out(text);
  const llvm::DominatorTree dominators(f.function());
  const llvm::LoopInfo loops(dominators);
  const RowTables tables(f.function(), loops, f.function_info);
  plan_memory({f.function(), f.activity, f.function_info, tables, sweeps == Sweeps::split, false}).print(out);
  return text;
}

constexpr const char *allocates_and_frees = R"(
  declare ptr @malloc(i64)
  declare void @free(ptr captures(none))
  define double @f(double %x) {
    %memory = call ptr @malloc(i64 8)
    store double %x, ptr %memory
    %y = load double, ptr %memory
    %z = fmul double %y, %y
    call void @free(ptr %memory)
    ret double %z
  })";

TEST(MemoryPlan, TakesMemoryThatStaysInsideFromTheGradientsStack) {
  EXPECT_EQ(memory_plan(allocates_and_frees, "aa", Sweeps::combined),
            "released by the reverse sweep, from the memory stack: %memory\n"
            "release left out: call void @free(ptr %memory)\n");
}

/// The end of the memory, or null, less its beginning; FROM and LESS are the operands.
std::string measured(llvm::StringRef from, llvm::StringRef less) {
  std::string text = R"(
  declare noalias ptr @malloc(i64)
  declare void @free(ptr captures(none))
  define double @f(double %x, i1 %any) {
  entry:
    br i1 %any, label %take, label %use
  take:
    %taken = call noalias ptr @malloc(i64 8)
    %taken.end = getelementptr inbounds i8, ptr %taken, i64 8
    %number = ptrtoint ptr %taken.end to i64
    br label %use
  use:
    %memory = phi ptr [ null, %entry ], [ %taken, %take ]
    %end = phi i64 [ 0, %entry ], [ %number, %take ]
    %start = ptrtoint ptr %memory to i64
    %size = sub i64 FROM, LESS
    store double %x, ptr %memory
    %y = load double, ptr %memory
    call void @free(ptr %memory)
    %length = uitofp i64 %size to double
    %z = fmul double %y, %length
    ret double %z
  })";
  text.replace(text.find("FROM"), 4, from.str());
  text.replace(text.find("LESS"), 4, less.str());
  return memory_plan(text, "aca", Sweeps::combined);
}

// A vector that may be empty.
TEST(MemoryPlan, SeesThatAnAddressIsOnlyMeasured) {
  EXPECT_EQ(measured("%end", "%start"), "released by the reverse sweep, from the memory stack: %taken\n"
                                        "release left out: call void @free(ptr %memory)\n");
  for (llvm::StringRef less : {"8", "0", "undef"})
    EXPECT_EQ(measured("%end", less), "release of shadows deferred: call void @free(ptr %memory)\n") << less.str();
}

TEST(MemoryPlan, TakesItFromTheHeapWhereTheSweepsAreApart) {
  EXPECT_EQ(memory_plan(allocates_and_frees, "aa", Sweeps::split),
            "released by the reverse sweep, from the heap: %memory\n"
            "release left out: call void @free(ptr %memory)\n");
}

TEST(MemoryPlan, LeavesMemoryWithoutDerivativeAlone) {
  EXPECT_EQ(memory_plan(allocates_and_frees, "ca", Sweeps::combined), "");
}

// The caller may know the memory: its release stays where it is, and that of its shadow waits.
TEST(MemoryPlan, DefersTheReleaseOfShadowsOfMemoryThatComesFromOutside) {
  EXPECT_EQ(memory_plan(R"(
  declare void @free(ptr captures(none))
  define double @f(ptr %memory) {
    %y = load double, ptr %memory
    %z = fmul double %y, %y
    call void @free(ptr %memory)
    ret double %z
  })",
                        "da", Sweeps::combined),
            "release of shadows deferred: call void @free(ptr %memory)\n");
}

// The reverse sweep may read the row again.
TEST(MemoryPlan, DefersTheReleaseOfARowOfATable) {
  EXPECT_EQ(memory_plan(R"(
  declare noalias ptr @malloc(i64)
  declare void @free(ptr captures(none))
  define double @f(double %x) {
    %table = call noalias ptr @malloc(i64 8)
    %row = call noalias ptr @malloc(i64 8)
    store ptr %row, ptr %table
    store double %x, ptr %row
    %loaded = load ptr, ptr %table
    %y = load double, ptr %loaded
    %z = fmul double %y, %y
    call void @free(ptr %loaded)
    call void @free(ptr %table)
    ret double %z
  })",
                        "aa", Sweeps::combined),
            "released by the reverse sweep, from the memory stack: %table\n"
            "release left out: call void @free(ptr %table)\n"
            "release of a row and its shadows deferred: call void @free(ptr %loaded)\n");
}

TEST(MemoryPlan, LeavesTheReleaseOfMemoryThatEscapesToTheProgram) {
  EXPECT_EQ(memory_plan(R"(
  declare ptr @malloc(i64)
  define void @f(double %x, ptr %out) {
    %memory = call ptr @malloc(i64 8)
    store double %x, ptr %memory
    store ptr %memory, ptr %out
    ret void
  })",
                        "adc", Sweeps::combined),
            "");
}

} // namespace
} // namespace assay::engine
