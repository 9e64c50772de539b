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

} // namespace
} // namespace assay::test
