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

TEST(Activity, CallsWithWhatIsActiveOnly) {
  Analysed f(R"(
    define double @g(double %a, double %b, ptr %p, i32 %n) noinline {
      %v = load double, ptr %p
      %s = fmul double %a, %v
      %t = fmul double %s, %b
      ret double %t
    }
    define double @f(double %x, double %y, ptr %p, ptr %q) {
      %r = call double @g(double %x, double %y, ptr %p, i32 3)
      ret double %r
    })",
             "acdca");
  EXPECT_EQ(f.call_of("g"), "acdc->a");
  EXPECT_TRUE(f.carries("r"));
}

TEST(Activity, CallsInForwardModeWithDuplicatedFloats) {
  Analysed f(R"(
    define double @g(double %a, double %b) noinline {
      %s = fmul double %a, %b
      ret double %s
    }
    define double @f(double %x, double %y) {
      %r = call double @g(double %x, double %y)
      ret double %r
    })",
             "dcd", engine::Mode::forward);
  EXPECT_EQ(f.call_of("g"), "dc->d");
}

TEST(Activity, KeepsACallOnConstantDataApartFromOneOnActiveData) {
  Analysed f(R"(
    define double @dot(ptr %a, ptr %b) noinline {
      %u = load double, ptr %a
      %v = load double, ptr %b
      %s = fmul double %u, %v
      ret double %s
    }
    define double @f(ptr %weights, ptr %x) {
      %norm = call double @dot(ptr %weights, ptr %weights)
      %value = call double @dot(ptr %x, ptr %weights)
      %r = fdiv double %value, %norm
      ret double %r
    })",
             "cda");
  EXPECT_FALSE(f.carries("norm"));
  EXPECT_TRUE(f.carries("value"));
  EXPECT_TRUE(f.consistent());
  EXPECT_FALSE(f.shadowed("weights"));
}

TEST(Activity, FindsDerivativesThroughRecursion) {
  Analysed f(R"(
    define double @power(double %x, i32 %n) {
    entry:
      %end = icmp eq i32 %n, 0
      br i1 %end, label %one, label %more
    one:
      ret double 1.0
    more:
      %m = sub i32 %n, 1
      %rest = call double @power(double %x, i32 %m)
      %r = fmul double %x, %rest
      ret double %r
    }
    define double @f(double %x) {
      %r = call double @power(double %x, i32 3)
      ret double %r
    })",
             "aa");
  EXPECT_EQ(f.call_of("power"), "ac->a");
}

TEST(Activity, LeavesCallsThatOnlyReadActiveMemoryForIntegers) {
  Analysed f(R"(
    declare i32 @printf(ptr, ...)
    define i32 @largest(ptr %p) noinline {
      %a = load double, ptr %p
      %c = fcmp ogt double %a, 1.0
      %i = zext i1 %c to i32
      ret i32 %i
    }
    define double @f(ptr %p, ptr %text) {
      %i = call i32 @largest(ptr %p)
      %v = load double, ptr %p
      %n = call i32 (ptr, ...) @printf(ptr %text, double %v)
      ret double %v
    })",
             "dca");
  EXPECT_EQ(f.call_of("largest"), "inactive");
  EXPECT_EQ(f.call_of("printf"), "inactive");
}

TEST(Activity, DifferentiatesCallsThatOverwriteActiveMemory) {
  Analysed f(R"(
    define void @clear(ptr %p) noinline {
      store double 0.0, ptr %p
      ret void
    }
    define void @f(ptr %p) {
      call void @clear(ptr %p)
      ret void
    })",
             "dc");
  EXPECT_EQ(f.call_of("clear"), "d->c");
}

TEST(Activity, TakesUnknownFunctionsForActive) {
  Analysed f(R"(
    declare double @mystery(double, ptr)
    define double @f(double %x, ptr %p) {
      %r = call double @mystery(double %x, ptr %p)
      %v = load double, ptr %p
      %s = fadd double %r, %v
      ret double %s
    })",
             "ada");
  EXPECT_EQ(f.call_of("mystery"), "ad->a");
  EXPECT_TRUE(f.carries("v"));
}

TEST(Activity, SeesDerivativesInReturnedStructs) {
  Analysed f(R"(
    define {double, ptr} @g(double %x, ptr %p) noinline {
      %a = insertvalue {double, ptr} poison, double %x, 0
      %b = insertvalue {double, ptr} %a, ptr %p, 1
      ret {double, ptr} %b
    }
    define double @f(double %x, ptr %p) {
      %r = call {double, ptr} @g(double %x, ptr %p)
      %v = extractvalue {double, ptr} %r, 0
      %q = extractvalue {double, ptr} %r, 1
      %w = load double, ptr %q
      %s = fadd double %v, %w
      ret double %s
    })",
             "ada");
  EXPECT_TRUE(f.carries("r"));
  EXPECT_TRUE(f.shadowed("r"));
  EXPECT_TRUE(f.shadowed("q"));
  EXPECT_TRUE(f.carries("w"));
  EXPECT_EQ(f.call_of("g"), "ad->d");
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

TEST(Activity, TakesAnInactiveRegisteredFunctionForConstant) {
  Analysed f(R"(
    @__enzyme_inactivefn_log = global [1 x ptr] [ptr @log_value]
    declare double @log_value(double)
    define double @f(double %x) {
      %l = call double @log_value(double %x)
      %r = fadd double %l, %x
      ret double %r
    })",
             "aa");
  EXPECT_EQ(f.call_of("log_value"), "inactive");
  EXPECT_FALSE(f.carries("l"));
}

TEST(Activity, KeepsWhatAFunctionLeavesInAGlobalForOthers) {
  Analysed f(R"(
    @state = internal global double 0.0
    define void @f(double %x) {
      %y = fmul double %x, %x
      store double %y, ptr @state
      ret void
    }
    define double @reader() {
      %v = load double, ptr @state
      ret double %v
    })",
             "ac");
  EXPECT_TRUE(f.carries("y"));
  EXPECT_TRUE(f.shadowed("state"));
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

TEST(Activity, TakesIndirectCallsForActive) {
  Analysed f(R"(
    define double @f(ptr %function, double %x) {
      %r = call double %function(double %x)
      ret double %r
    })",
             "caa");
  EXPECT_TRUE(f.carries("r"));
  auto &call = llvm::cast<llvm::CallBase>(f.value("r"));
  EXPECT_TRUE(f.activity.is_active_call(call));
}

TEST(Activity, FollowsInvokedCallsAndVectors) {
  Analysed f(R"(
    declare i32 @__gxx_personality_v0(...)
    define double @g(double %x) {
      %y = fmul double %x, 3.0
      ret double %y
    }
    define double @f(double %x, double %c) personality ptr @__gxx_personality_v0 {
    entry:
      %r = invoke double @g(double %x) to label %good unwind label %bad
    good:
      %v0 = insertelement <2 x double> poison, double %r, i64 0
      %v1 = insertelement <2 x double> %v0, double %c, i64 1
      %w = fmul <2 x double> %v1, %v1
      %s = shufflevector <2 x double> %w, <2 x double> poison, <2 x i32> <i32 1, i32 0>
      %e = extractelement <2 x double> %s, i64 1
      ret double %e
    bad:
      %pad = landingpad { ptr, i32 } cleanup
      resume { ptr, i32 } %pad
    })",
             "aca");
  EXPECT_EQ(f.call_of("g"), "a->a");
  EXPECT_TRUE(f.carries("s"));
  EXPECT_FALSE(f.carries("pad"));
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
