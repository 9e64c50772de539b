#include "core/test/emit/differentiated.hpp"

using namespace assay;
using assay::test::Differentiated;

TEST(Forward, GivesTheTangentOfTheResult) {
  Differentiated d("define double @f(double %x, double %y) { %p = fmul double %x, %y ret double %p }", "ddd");
  auto *f = d.compiled<double(double, double, double, double)>();
  EXPECT_EQ(f(3, 1, 5, 0), 5);
  EXPECT_EQ(f(3, 0, 5, 1), 3);
  EXPECT_EQ(f(3, 2, 5, 7), 31);
}

TEST(Forward, ComputesNothingForConstantArguments) {
  Differentiated d("define double @f(double %x, double %y) { %p = fmul double %x, %y ret double %p }", "cdd");
  EXPECT_EQ(d.count(llvm::Instruction::FMul), 1u); // x * y', and no primal
  EXPECT_EQ(d.function().arg_size(), 3u);
}

TEST(Forward, CarriesEveryLaneOfAWideRequest) {
  struct Lanes {
    double lane[2]; // returned in two registers, as the derivative's literal struct
  };
  Differentiated d("define double @f(double %x) { %p = fmul double %x, %x ret double %p }", "dd", 2);
  auto *f = d.compiled<Lanes(double, double, double)>();
  const Lanes lanes = f(4, 1, 10);
  EXPECT_EQ(lanes.lane[0], 8);
  EXPECT_EQ(lanes.lane[1], 80);
}

TEST(Forward, StoresTangentsWhereThePrimalStoresValues) {
  Differentiated d(R"(define void @f(ptr %p) {
    %x = load double, ptr %p
    %q = getelementptr double, ptr %p, i64 1
    %s = fmul double %x, %x
    store double %s, ptr %q
    ret void })",
                   "dc");
  auto *f = d.compiled<void(double *, double *)>();
  double x[2] = {3, 0}, dx[2] = {2, 99};
  f(x, dx);
  EXPECT_EQ(x[1], 9);
  EXPECT_EQ(dx[1], 12);
}

TEST(Forward, StoresAZeroTangentWithAConstant) {
  Differentiated d("define void @f(ptr %p) { store double 4.0, ptr %p ret void }", "dc");
  auto *f = d.compiled<void(double *, double *)>();
  double x = 1, dx = 7;
  f(&x, &dx);
  EXPECT_EQ(x, 4);
  EXPECT_EQ(dx, 0);
}

/// The alternatives of a variable that the optimiser took apart: one is a key that is put into the half of what is
/// never set, another the address of an object.
TEST(Forward, MeetsAnAddressOfNothingBesideOneWithAShadow) {
  Differentiated d(R"(define double @f(ptr %p, i64 %key) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %last ]
      %unset = phi ptr [ undef, %entry ], [ %kept, %last ]
      %sum = phi double [ 0.0, %entry ], [ %more, %last ]
      %odd = and i64 %i, 1
      %is_odd = icmp eq i64 %odd, 1
      br i1 %is_odd, label %set, label %join
    set:
      %half = getelementptr i8, ptr %unset, i64 %key
      br label %join
    join:
      %kept = phi ptr [ %half, %set ], [ %unset, %loop ]
      %either = phi ptr [ %half, %set ], [ %p, %loop ]
      %is_wanted = icmp eq i64 %i, %key
      br i1 %is_wanted, label %read, label %last
    read:
      %x = load double, ptr %either
      br label %last
    last:
      %number = phi double [ %x, %read ], [ 0.0, %join ]
      %more = fadd double %sum, %number
      %next = add i64 %i, 1
      %done = icmp eq i64 %next, 5
      br i1 %done, label %exit, label %loop
    exit:
      %square = fmul double %more, %more
      ret double %square
    })",
                   "dcd");
  ASSERT_EQ(d.error(), "");
  auto *f = d.compiled<double(double *, double *, std::int64_t)>();
  double x = 3, dx = 2;
  EXPECT_EQ(f(&x, &dx, 4), 12);
}

TEST(Forward, NeverReadsUninitialisedShadowMemory) {
  // A structure of which one member is never written is copied as a whole.
  Differentiated d(R"(
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define void @f(ptr %to, double %x) {
      %s = alloca [2 x double]
      store double %x, ptr %s
      call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %s, i64 16, i1 false)
      ret void })",
                   "ddc");
  auto *f = d.compiled<void(double *, double *, double, double)>();
  double to[2], dto[2] = {5, 5};
  f(to, dto, 3, 1);
  EXPECT_EQ(dto[0], 1);
}

TEST(Forward, ReleasesTheShadowOfAnAllocation) {
  Differentiated d(R"(
    declare noalias ptr @malloc(i64)
    declare void @free(ptr)
    define double @f(double %x, i1 %c) {
    entry:
      %m = call ptr @malloc(i64 8)
      store volatile double %x, ptr %m
      br i1 %c, label %then, label %done
    then:
      %v = load volatile double, ptr %m
      %w = fmul double %v, %x
      store volatile double %w, ptr %m
      br label %done
    done:
      %r = load volatile double, ptr %m
      call void @free(ptr %m)
      ret double %r })",
                   "dcd");
  unsigned allocations = 0, releases = 0;
  for (llvm::Instruction &instruction : llvm::instructions(d.function()))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      allocations +=
          call->getCalledFunction()->getName() == "malloc" || call->getCalledFunction()->getName() == "calloc";
      releases += call->getCalledFunction()->getName() == "free";
    }
  EXPECT_EQ(allocations, releases);
  auto *f = d.compiled<double(double, double, bool)>();
  EXPECT_EQ(f(3, 1, true), 6);
  EXPECT_EQ(f(3, 1, false), 1);
}

TEST(Forward, FollowsRecursion) {
  Differentiated d(R"(define double @f(double %x, i32 %n) {
    %end = icmp eq i32 %n, 0
    br i1 %end, label %one, label %more
  one:
    ret double 1.0
  more:
    %m = sub i32 %n, 1
    %r = call double @f(double %x, i32 %m)
    %p = fmul double %r, %x
    ret double %p })",
                   "dcd");
  auto *f = d.compiled<double(double, double, int)>();
  EXPECT_EQ(f(2, 1, 5), 80);
  EXPECT_EQ(f(2, 1, 0), 0);
}

TEST(Forward, KeepsTheSignTrickOfAnAbsoluteValue) {
  Differentiated d(R"(define double @f(double %x, ptr %k) {
    store double %x, ptr %k
    %i = load i64, ptr %k
    %a = and i64 %i, 9223372036854775807
    %r = bitcast i64 %a to double
    ret double %r })",
                   "ddd");
  ASSERT_EQ(d.error(), "");
  auto *f = d.compiled<double(double, double, double *, double *)>();
  double k = 0, dk = 0;
  EXPECT_EQ(f(-3, 2, &k, &dk), -2);
  EXPECT_EQ(f(3, 2, &k, &dk), 2);
}

TEST(Forward, MixesActiveMemoryWithConstantMemoryThatIsWrittenOnlyWithRuntimeActivity) {
  const std::string text = R"(define double @f(ptr %a, ptr %b, i1 %c) {
    %p = select i1 %c, ptr %a, ptr %b
    %x = load double, ptr %p
    %y = fmul double %x, %x
    store double 4.0, ptr %b
    ret double %y })";
  Differentiated refused(text, "dccd");
  EXPECT_NE(refused.error().find("runtime"), std::string::npos) << refused.error();
  Differentiated d(text, "dccd", 1, {.runtime_activity = true});
  ASSERT_EQ(d.error(), "");
  auto *f = d.compiled<double(double *, double *, double *, bool)>();
  double a = 3, da = 1, b = 5;
  EXPECT_EQ(f(&a, &da, &b, true), 6);
  EXPECT_EQ(f(&a, &da, &b, false), 0);
}

TEST(Forward, MixesActiveMemoryWithConstantMemoryThatIsOnlyRead) {
  Differentiated d(R"(define double @f(ptr %a, ptr %b, i1 %c) {
    %p = select i1 %c, ptr %a, ptr %b
    %x = load double, ptr %p
    %y = fmul double %x, %x
    ret double %y })",
                   "dccd");
  ASSERT_EQ(d.error(), "");
  auto *f = d.compiled<double(double *, double *, double *, bool)>();
  double a = 3, da = 1, b = 5;
  EXPECT_EQ(f(&a, &da, &b, true), 6);
  EXPECT_EQ(f(&a, &da, &b, false), 0);
}

TEST(Forward, NamesTheInstructionThatItCannotDifferentiate) {
  Differentiated d(R"(define double @f(double %x) {
    %r = call double asm "sqrtsd $1, $0; addsd $1, $0", "=x,x"(double %x)
    ret double %r })",
                   "dd");
  EXPECT_NE(d.error().find("inline assembly"), std::string::npos) << d.error();
  EXPECT_NE(d.error().find("'f'"), std::string::npos) << d.error();
}

TEST(Forward, RefusesAnUnknownFunctionThatTakesPart) {
  Differentiated d(R"(
    declare double @unknown(ptr)
    define double @f(ptr %x) { %r = call double @unknown(ptr %x) ret double %r })",
                   "dd");
  EXPECT_NE(d.error().find("'unknown'"), std::string::npos) << d.error();
}
