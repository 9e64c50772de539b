// Would catch: a form of derivative that is never vectorised, loops that are left alone although an optimised
// derivative runs them, and marks that LLVM's passes do not obey.

#include "core/jit/effort.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <gtest/gtest.h>

namespace {

using namespace assay::jit;

constexpr Activity constant = Activity::constant, duplicated = Activity::duplicated;

Derivative reverse_of(std::vector<Activity> arguments, unsigned width = 1, Form form = Form::combined) {
  return {Mode::reverse, width, Activity::active, PrimalResult::wanted, std::move(arguments), form};
}

TEST(Effort, OptimisesEveryPlainDerivativeThatReturnsThePrimal) {
  Derivative bare = reverse_of({duplicated, duplicated});
  bare.primal = PrimalResult::omitted;
  const std::vector<Derivative> derivatives{reverse_of({duplicated, constant}), reverse_of({duplicated, duplicated}),
                                            bare};
  EXPECT_EQ(choose_optimised(derivatives), (std::vector<bool>{true, true, false}));
}

TEST(Effort, OptimisesTheFullestDerivativeOfBatchesAndOfTheSplitForm) {
  const std::vector<Derivative> derivatives{
      reverse_of({duplicated, constant}, 4), reverse_of({duplicated, duplicated}, 4),
      reverse_of({duplicated, duplicated}, 8), reverse_of({constant, duplicated}, 1, Form::split),
      reverse_of({duplicated, constant}, 1, Form::split)};
  EXPECT_EQ(choose_optimised(derivatives), (std::vector<bool>{false, true, false, true, false}));
}

TEST(Effort, TakesBatchesTheSplitFormAndRunTimeActivityOneByOne) {
  Derivative by_run_time = reverse_of({duplicated, duplicated}, 2);
  by_run_time.runtime_activity = RuntimeActivity::on;
  Derivative all_three = reverse_of({duplicated, constant}, 2, Form::split);
  all_three.runtime_activity = RuntimeActivity::on;
  const std::vector<Derivative> derivatives{reverse_of({duplicated, duplicated}, 3, Form::split), by_run_time,
                                            all_three};
  EXPECT_EQ(choose_optimised(derivatives), (std::vector<bool>{true, true, false}));
}

TEST(Effort, OptimisesTheOnlyOne) {
  Derivative alone = reverse_of({duplicated}, 8, Form::split);
  alone.runtime_activity = RuntimeActivity::on;
  EXPECT_EQ(choose_optimised({&alone, 1}), std::vector<bool>{true});
}

/// Which loop transformations may take place in each function of a module.
class LimitedEffort : public testing::Test {
protected:
  LimitedEffort() {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(
        "define internal void @helper(i1 %c) {\n  br label %l\nl:\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}\n"
        "define internal void @other(i1 %c) {\n  br label %l\nl:\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}\n"
        "@table = internal constant [1 x ptr] [ptr @helper]\n"
        "define void @chosen(i1 %c) {\n  %f = load ptr, ptr @table\n  call void %f(i1 %c)\n  ret void\n}\n"
        "define void @left(i1 %c) {\n  call void @other(i1 %c)\n  ret void\n}\n",
        diagnostic, context);
    limit_effort(*module, [](const llvm::Function &function) { return function.getName() == "chosen"; });
  }

  template <class Question>
  auto asked(const char *name, Question question) {
    llvm::DominatorTree dominators(*module->getFunction(name));
    const llvm::LoopInfo loops(dominators);
    return question(**loops.begin());
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

TEST_F(LimitedEffort, VectorisesLoopsThatAChosenFunctionReachesAndUnrollsNone) {
  EXPECT_FALSE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasDisableAllTransformsHint(&loop); }));
  EXPECT_NE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasVectorizeTransformation(&loop); }),
            llvm::TM_Disable);
  EXPECT_TRUE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasUnrollTransformation(&loop); }) &
              llvm::TM_Disable);
}

/// True if a pass that may be left out would run on the function.
bool is_optimised(const llvm::Function &function) {
  llvm::PassInstrumentationCallbacks callbacks;
  skip_passes_on_what_is_left(callbacks);
  struct AnyPass : llvm::PassInfoMixin<AnyPass> {};
  return llvm::PassInstrumentation(&callbacks).runBeforePass(AnyPass(), function);
}

TEST_F(LimitedEffort, LeavesTheRestAsItIs) {
  EXPECT_TRUE(is_optimised(*module->getFunction("chosen")));
  EXPECT_TRUE(is_optimised(*module->getFunction("helper")));
  EXPECT_FALSE(is_optimised(*module->getFunction("left")));
  EXPECT_FALSE(is_optimised(*module->getFunction("other")));
}

} // namespace
