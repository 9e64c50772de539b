#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

TEST(Activity, FollowsArithmeticFromActiveArgumentsToTheActiveResult) {
  Analysed f(R"(
    define double @f(double %x, double %y) {
      %product = fmul double %x, %y
      %constant = fmul double %y, %y
      %unused = fadd double %x, 1.0
      %sum = fadd double %product, %constant
      ret double %sum
    })",
             "aca");
  EXPECT_TRUE(f.carries("x"));
  EXPECT_FALSE(f.carries("y"));
  EXPECT_TRUE(f.carries("product"));
  EXPECT_FALSE(f.carries("constant"));
  EXPECT_FALSE(f.carries("unused"));
  EXPECT_TRUE(f.carries("sum"));
}

TEST(Activity, StopsAtOperationsWithoutDerivative) {
  Analysed f(R"(
    declare double @llvm.floor.f64(double)
    define double @f(double %x) {
      %i = fptosi double %x to i64
      %back = sitofp i64 %i to double
      %floor = call double @llvm.floor.f64(double %x)
      %sum = fadd double %back, %floor
      %all = fadd double %sum, %x
      ret double %all
    })",
             "aa");
  EXPECT_FALSE(f.carries("back"));
  EXPECT_FALSE(f.carries("floor"));
  EXPECT_FALSE(f.carries("sum"));
  EXPECT_TRUE(f.carries("all"));
}

TEST(Activity, GivesLocalMemoryAShadowOnlyWhenItKeepsDerivatives) {
  Analysed f(R"(
    define double @f(double %x, double %y) {
      %active = alloca double
      %inactive = alloca double
      %written = alloca double
      store double %x, ptr %active
      store double %y, ptr %inactive
      store double %x, ptr %written
      %a = load double, ptr %active
      %b = load double, ptr %inactive
      %sum = fadd double %a, %b
      ret double %sum
    })",
             "aca");
  EXPECT_TRUE(f.shadowed("active"));
  EXPECT_FALSE(f.shadowed("inactive"));
  EXPECT_FALSE(f.shadowed("written"));
  EXPECT_TRUE(f.carries("a"));
  EXPECT_FALSE(f.carries("b"));
}

TEST(Activity, SeesArraysThroughPointersKeptInAllocas) {
  Analysed f(R"(
    define void @f(ptr %in, ptr %out, i32 %n) {
      %in.addr = alloca ptr
      %out.addr = alloca ptr
      %n.addr = alloca i32
      store ptr %in, ptr %in.addr
      store ptr %out, ptr %out.addr
      store i32 %n, ptr %n.addr
      %p = load ptr, ptr %in.addr
      %n1 = load i32, ptr %n.addr
      %index = sext i32 %n1 to i64
      %q = getelementptr inbounds double, ptr %p, i64 %index
      %v = load double, ptr %q
      %w = fmul double %v, %v
      %o = load ptr, ptr %out.addr
      store double %w, ptr %o
      ret void
    })",
             "ddcc");
  EXPECT_TRUE(f.shadowed("in.addr"));
  EXPECT_TRUE(f.shadowed("p"));
  EXPECT_TRUE(f.shadowed("q"));
  EXPECT_TRUE(f.shadowed("o"));
  EXPECT_FALSE(f.shadowed("n.addr"));
  EXPECT_FALSE(f.carries("n1"));
  EXPECT_TRUE(f.carries("v"));
  EXPECT_TRUE(f.carries("w"));
  EXPECT_TRUE(f.consistent());
}

TEST(Activity, ReadsConstantMemoryWithoutADerivative) {
  Analysed f(R"(
    define double @f(ptr %weights, ptr %x) {
      %w = load double, ptr %weights
      %v = load double, ptr %x
      %p = fmul double %w, %v
      ret double %p
    })",
             "cda");
  EXPECT_FALSE(f.shadowed("weights"));
  EXPECT_FALSE(f.carries("w"));
  EXPECT_TRUE(f.carries("v"));
  EXPECT_TRUE(f.carries("p"));
  EXPECT_TRUE(f.consistent());
}

TEST(Activity, GivesAllocationsAShadowWhenTheyKeepDerivatives) {
  Analysed f(R"(
    declare ptr @malloc(i64)
    declare void @free(ptr)
    define double @f(double %x) {
      %buffer = call ptr @malloc(i64 16)
      %flags = call ptr @malloc(i64 16)
      store double %x, ptr %buffer
      store i32 1, ptr %flags
      %v = load double, ptr %buffer
      call void @free(ptr %buffer)
      call void @free(ptr %flags)
      ret double %v
    })",
             "aa");
  EXPECT_TRUE(f.shadowed("buffer"));
  EXPECT_FALSE(f.shadowed("flags"));
  EXPECT_EQ(f.call_of("malloc"), "inactive");
  EXPECT_EQ(f.call_of("free"), "inactive");
}

TEST(Activity, ReportsConstantMemoryMixedWithActiveMemory) {
  Analysed f(R"(
    define double @f(ptr %a, ptr %b, i1 %c) {
      %p = select i1 %c, ptr %a, ptr %b
      %v = load double, ptr %p
      ret double %v
    })",
             "dcca");
  EXPECT_TRUE(f.shadowed("p"));
  EXPECT_TRUE(f.contradicts("b"));
  EXPECT_FALSE(f.consistent());
}

TEST(Activity, ReportsAConstantBufferThatKeepsActiveData) {
  Analysed f(R"(
    define double @f(double %x, ptr %buffer) {
      store double %x, ptr %buffer
      %v = load double, ptr %buffer
      ret double %v
    })",
             "aca");
  EXPECT_TRUE(f.contradicts("buffer"));
}

TEST(Activity, LetsActiveDataBeWrittenToConstantMemoryThatIsNotReadAgain) {
  Analysed f(R"(
    define double @f(double %x, ptr %log) {
      store double %x, ptr %log
      ret double %x
    })",
             "aca");
  EXPECT_TRUE(f.consistent());
  EXPECT_FALSE(f.shadowed("log"));
}

TEST(Activity, FollowsPointersInStructs) {
  Analysed f(R"(
    define double @f(ptr %s) {
      %data = load ptr, ptr %s
      %q = getelementptr i8, ptr %s, i64 8
      %index = load ptr, ptr %q
      %i = load i32, ptr %index
      %j = sext i32 %i to i64
      %e = getelementptr double, ptr %data, i64 %j
      %v = load double, ptr %e
      ret double %v
    })",
             "da");
  EXPECT_TRUE(f.shadowed("data"));
  EXPECT_TRUE(f.carries("v"));
  EXPECT_FALSE(f.shadowed("index")) << "an array of integers needs no shadow";
}

TEST(Activity, TreatsMutableGlobalsByWhatIsStoredInThem) {
  Analysed f(R"(
    @state = global double 0.0
    @gamma = global double 1.4
    @table = constant [4 x double] zeroinitializer
    define double @f(double %x, i64 %i) {
      store double %x, ptr @state
      %p = getelementptr double, ptr @table, i64 %i
      %t = load double, ptr %p
      %g = load double, ptr @gamma
      %s = load double, ptr @state
      %a = fmul double %t, %g
      %b = fmul double %s, %a
      ret double %b
    })",
             "aca");
  EXPECT_TRUE(f.shadowed("state"));
  EXPECT_FALSE(f.shadowed("gamma"));
  EXPECT_FALSE(f.shadowed("table"));
  EXPECT_FALSE(f.carries("a"));
  EXPECT_TRUE(f.carries("b"));
}

TEST(Activity, GivesIntegersNoShadow) {
  Analysed f(R"(
    define void @f(ptr %s, ptr %out) {
      %n = load i64, ptr %s
      %m = add i64 %n, 1
      store i64 %m, ptr %out
      %q = getelementptr i8, ptr %s, i64 8
      %v = load double, ptr %q
      %o = getelementptr i8, ptr %out, i64 8
      store double %v, ptr %o
      ret void
    })",
             "ddc");
  EXPECT_FALSE(f.shadowed("n"));
  EXPECT_FALSE(f.carries("n"));
  EXPECT_TRUE(f.carries("v"));
}

TEST(Activity, AllowsAConstantWorkspaceToKeepAnActivePointerThatIsNotReadBack) {
  Analysed f(R"(
    define double @f(ptr %x, ptr %workspace) {
      store ptr %x, ptr %workspace
      %v = load double, ptr %x
      ret double %v
    })",
             "dca");
  EXPECT_FALSE(f.contradicts("x"));
}

TEST(Activity, SeesBytesOfFloatsThatALoopCopies) {
  Analysed f(R"(
    define double @f(ptr %x, ptr %y) {
      %byte = load i8, ptr %x
      store i8 %byte, ptr %y
      %v = load double, ptr %y
      ret double %v
    })",
             "dda");
  EXPECT_TRUE(f.carries("byte")) << "an emitter must refuse it, not drop it";
}

TEST(Activity, DoesNotTakeCharactersForBytesOfFloats) {
  Analysed f(R"(
    define double @f(ptr %x, ptr %text, ptr %copy) {
      %letter = load i8, ptr %text
      %end = icmp eq i8 %letter, 0
      store i8 %letter, ptr %copy
      %v = load double, ptr %x
      ret double %v
    })",
             "ddda");
  EXPECT_FALSE(f.carries("letter"));
}

/// A table of functions in an object that is returned: the caller, who sees the table, knows that no number is there.
TEST(Activity, TakesACallersWordForConstantMemoryInAnActiveStruct) {
  const std::string ir = R"(
    declare ptr @malloc(i64)
    define ptr @f(ptr %table, double %x) {
      %object = call ptr @malloc(i64 16)
      store ptr %table, ptr %object
      %place = getelementptr i8, ptr %object, i64 8
      store double %x, ptr %place
      %slot = getelementptr i8, ptr %table, i64 16
      %make = load ptr, ptr %slot
      %made = call ptr %make(i64 4)
      ret ptr %object
    })";
  EXPECT_TRUE(Analysed(ir, "cad", engine::Mode::reverse, engine::Caller::derivative).consistent());
  EXPECT_TRUE(Analysed(ir, "cad", engine::Mode::reverse, engine::Caller::program).contradicts("table"));
}

/// A null address and the memory that others point to are moved in the same way.
TEST(Activity, LeavesMemoryOfActiveArgumentsActiveBesideAConstantOne) {
  Analysed f(R"(
    define ptr @f(ptr %list, ptr %hint, i1 %c, double %x) {
      %place = select i1 %c, ptr %list, ptr %hint
      %next = load ptr, ptr %place
      store ptr %next, ptr %list
      ret ptr %list
    })",
             "dccad", engine::Mode::reverse, engine::Caller::derivative);
  EXPECT_TRUE(f.shadowed("list"));
}

} // namespace
} // namespace assay::test
