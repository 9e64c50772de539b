// How active calls are made, decided before anything is written.
#include "core/engine/plan/call_plan.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "core/test/lowering/declared_derivatives.hpp"
#include "llvm/Passes/PassBuilder.h"
#include <gmock/gmock.h>

namespace assay::engine {
namespace {

/// The plan of the calls of `f` with derivatives that are only declared, or the error.
std::string call_plan(const std::string &ir, const std::string &activities) {
  test::Analysed f(ir, activities);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const auto derivatives = declare_derivatives(f.module(), test::Analysed::read(f.module()), modules);
  const Request request = test::Analysed::request(f.function(), activities, Mode::reverse, Caller::program);
  llvm::Expected<CallPlans> plans = plan_calls({*derivatives, request, f.function(), f.activity});
  if (!plans)
    return llvm::toString(plans.takeError());
  std::string text;
  llvm::raw_string_ostream out(text);
  plans->print(out);
  return text;
}

// A derivative of which nothing is known yet, as that of recursion, gets all that it could read.
TEST(CallPlan, KeepsEverythingForACalleeThatIsNotPlannedYet) {
  EXPECT_EQ(
      call_plan(R"(
  define double @g(double %x, ptr %p) {
    %v = load double, ptr %p
    %r = fmul double %x, %v
    ret double %r
  }
  define double @f(double %x, ptr %p) {
    %y = call double @g(double %x, ptr %p)
    ret double %y
  })",
                "ada"),
      "split, keeps its tape, passes the list of memory to release, keeps argument 1 and 2 and 3 and 4: %y = call "
      "double @g(double %x, ptr %p)\n");
}

TEST(CallPlan, LeavesCallsWithoutDerivativeAlone) {
  EXPECT_EQ(call_plan(R"(
  declare i32 @rand()
  define double @f(double %x) {
    %n = call i32 @rand()
    %d = sitofp i32 %n to double
    %y = fmul double %x, %d
    ret double %y
  })",
                      "aa"),
            "");
}

TEST(CallPlan, RefusesActiveCallsWithoutBodyByName) {
  EXPECT_THAT(call_plan(R"(
  declare double @unknown(double)
  define double @f(double %x) {
    %y = call double @unknown(double %x)
    ret double %y
  })",
                        "aa"),
              testing::HasSubstr("the function 'unknown' has no body and no rule"));
}

TEST(CallPlan, RefusesWhatTheCalleesDerivativeRefuses) {
  EXPECT_THAT(call_plan(R"(
  define double @unsupported_g(double %x) {
    ret double %x
  }
  define double @f(double %x) {
    %y = call double @unsupported_g(double %x)
    ret double %y
  })",
                        "aa"),
              testing::HasSubstr("it cannot be differentiated"));
}

} // namespace
} // namespace assay::engine
