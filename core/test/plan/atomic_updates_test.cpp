// How atomic updates and maxima are undone, decided before anything is written.
#include "core/engine/plan/atomic_updates.hpp"
#include "core/engine/plan/noted_extrema.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include <gmock/gmock.h>

namespace assay::engine {
namespace {

using testing::HasSubstr;

/// The plan as text, or the error.
std::string atomic_updates(const std::string &ir, const std::string &activities, bool has_launch_for_each_sweep = false,
                           const std::string &triple = "nvptx64-nvidia-cuda") {
  test::Analysed f("target triple = \"" + triple + "\"\n" + ir, activities);
  llvm::Expected<AtomicUpdates> updates =
      plan_atomic_updates({f.function(), f.types, f.activity, has_launch_for_each_sweep});
  if (!updates)
    return llvm::toString(updates.takeError());
  std::string text;
  llvm::raw_string_ostream out(text);
  updates->print(out);
  return text;
}

std::string update_of(const std::string &operation) {
  return "define void @f(ptr %p, double %v) {\n  %old = atomicrmw " + operation +
         " ptr %p, double %v monotonic\n  ret void\n}\n";
}

TEST(AtomicUpdates, ReadTheShadowOfSums) {
  EXPECT_EQ(atomic_updates(update_of("fadd"), "dac"), "atomic sum of %v, whose adjoint reads the shadow: %old = "
                                                      "atomicrmw fadd ptr %p, double %v monotonic, align 8\n");
  EXPECT_THAT(atomic_updates(update_of("fsub"), "dac"),
              HasSubstr("atomic difference of %v, whose adjoint reads the shadow: "));
  EXPECT_THAT(atomic_updates(update_of("fadd"), "dac", false, "x86_64-pc-linux-gnu"), HasSubstr("atomic sum of %v"));
}

TEST(AtomicUpdates, ExchangeWithTheShadowOfASwapOnADevice) {
  EXPECT_THAT(atomic_updates(update_of("xchg"), "dac"),
              HasSubstr("atomic exchange of %v, whose adjoint exchanges with the shadow: "));
  EXPECT_THAT(atomic_updates(update_of("xchg"), "dac", false, "x86_64-pc-linux-gnu"),
              HasSubstr("neither a sum, a maximum, a minimum nor an exchange"));
}

// Other blocks may still be in their forward sweep, unless the host launches the reverse sweep by itself.
TEST(AtomicUpdates, TakeTheShadowOfAMaximumWhereTheFinalNumberIsThere) {
  EXPECT_THAT(atomic_updates(update_of("fmax"), "dac", true),
              HasSubstr("atomic choice of %v, whose adjoint takes the shadow where memory holds its number in the "
                        "end: "));
  EXPECT_THAT(atomic_updates(update_of("fmax"), "dac", false),
              HasSubstr("needs the final number, which other blocks may not have written yet"));
}

TEST(AtomicUpdates, HaveNoAdjointInMemoryWithoutShadow) {
  EXPECT_EQ(atomic_updates(update_of("fadd"), "cac"), "");
}

// What ends the thread is not undone, so it may be anything.
TEST(AtomicUpdates, AreNotAskedForBeforeTheProgramStops) {
  EXPECT_EQ(atomic_updates(R"(
  declare void @abort() noreturn
  define void @f(ptr %p, double %v, i1 %stops) {
    br i1 %stops, label %stop, label %end
  stop:
    %old = atomicrmw fmax ptr %p, double %v monotonic
    call void @abort()
    unreachable
  end:
    store double %v, ptr %p
    ret void
  })",
                           "dacc"),
            "");
}

std::string noted_extrema(const std::string &triple, const std::string &activities) {
  test::Analysed f("target triple = \"" + triple + R"("
  declare double @llvm.maxnum.f64(double, double)
  declare double @llvm.minnum.f64(double, double)
  define double @f(double %x, double %y, double %z) {
    %m = call double @llvm.maxnum.f64(double %x, double %y)
    %n = call double @llvm.minnum.f64(double %z, double 1.0)
    %s = fadd double %m, %n
    ret double %s
  })",
                   activities);
  std::string text;
  llvm::raw_string_ostream out(text);
  plan_noted_extrema(f.function(), f.activity).print(out);
  return text;
}

TEST(NotedExtrema, AreThoseOfADeviceWithADerivative) {
  EXPECT_EQ(noted_extrema("nvptx64-nvidia-cuda", "aaca"),
            "maximum, whose adjoint reads which operand was taken: %m = call double @llvm.maxnum.f64(double %x, "
            "double %y)\n");
  EXPECT_EQ(noted_extrema("x86_64-pc-linux-gnu", "aaca"), "");
}

} // namespace
} // namespace assay::engine
