// Would catch: a form of derivative whose loops are never vectorised, loops that are left alone although a vectorised
// derivative runs them, and marks that LLVM does not understand.

#include "core/jit/loop_effort.hpp"

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

TEST(LoopEffort, VectorisesEveryPlainDerivativeThatReturnsThePrimal) {
  Derivative bare = reverse_of({duplicated, duplicated});
  bare.primal = PrimalResult::omitted;
  const std::vector<Derivative> derivatives{reverse_of({duplicated, constant}), reverse_of({duplicated, duplicated}),
                                            bare};
  EXPECT_EQ(choose_vectorised(derivatives), (std::vector<bool>{true, true, false}));
}

TEST(LoopEffort, VectorisesTheFullestDerivativeOfEachOtherForm) {
  const std::vector<Derivative> derivatives{
      reverse_of({duplicated, constant}, 4), reverse_of({duplicated, duplicated}, 4),
      reverse_of({constant, duplicated}, 1, Form::split), reverse_of({duplicated, constant}, 1, Form::split)};
  EXPECT_EQ(choose_vectorised(derivatives), (std::vector<bool>{false, true, true, false}));
}

TEST(LoopEffort, VectorisesTheOnlyOne) {
  Derivative alone = reverse_of({duplicated}, 8, Form::split);
  alone.runtime_activity = RuntimeActivity::on;
  EXPECT_EQ(choose_vectorised({&alone, 1}), std::vector<bool>{true});
}

/// Which loop transformations may take place in each function of a module.
class LimitedLoops : public testing::Test {
protected:
  LimitedLoops() {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(
        "define internal void @helper(i1 %c) {\n  br label %l\nl:\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}\n"
        "define internal void @other(i1 %c) {\n  br label %l\nl:\n  br i1 %c, label %l, label %e\ne:\n  ret void\n}\n"
        "@table = internal constant [1 x ptr] [ptr @helper]\n"
        "define void @chosen(i1 %c) {\n  %f = load ptr, ptr @table\n  call void %f(i1 %c)\n  ret void\n}\n"
        "define void @left(i1 %c) {\n  call void @other(i1 %c)\n  ret void\n}\n",
        diagnostic, context);
    limit_loops(*module, [](const llvm::Function &function) { return function.getName() == "chosen"; });
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

TEST_F(LimitedLoops, AreVectorisedButNotUnrolledWhereAChosenFunctionReachesThem) {
  EXPECT_FALSE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasDisableAllTransformsHint(&loop); }));
  EXPECT_NE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasVectorizeTransformation(&loop); }),
            llvm::TM_Disable);
  EXPECT_TRUE(asked("helper", [](const llvm::Loop &loop) { return llvm::hasUnrollTransformation(&loop); }) &
              llvm::TM_Disable);
}

TEST_F(LimitedLoops, AreLeftAloneElsewhere) {
  EXPECT_TRUE(asked("other", [](const llvm::Loop &loop) { return llvm::hasDisableAllTransformsHint(&loop); }));
}

} // namespace
