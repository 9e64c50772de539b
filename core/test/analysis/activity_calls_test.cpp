#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

TEST(ActivityOfCalls, CallsWithWhatIsActiveOnly) {
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

TEST(ActivityOfCalls, CallsInForwardModeWithDuplicatedFloats) {
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

TEST(ActivityOfCalls, KeepsACallOnConstantDataApartFromOneOnActiveData) {
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

TEST(ActivityOfCalls, FindsDerivativesThroughRecursion) {
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

TEST(ActivityOfCalls, LeavesCallsThatOnlyReadActiveMemoryForIntegers) {
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

TEST(ActivityOfCalls, DifferentiatesCallsThatOverwriteActiveMemory) {
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

TEST(ActivityOfCalls, TakesUnknownFunctionsForActive) {
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

TEST(ActivityOfCalls, SeesDerivativesInReturnedStructs) {
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

TEST(ActivityOfCalls, TakesAnInactiveRegisteredFunctionForConstant) {
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

TEST(ActivityOfCalls, KeepsWhatAFunctionLeavesInAGlobalForOthers) {
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

TEST(ActivityOfCalls, TakesIndirectCallsForActive) {
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

TEST(ActivityOfCalls, FollowsInvokedCallsAndVectors) {
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

} // namespace
} // namespace assay::test
