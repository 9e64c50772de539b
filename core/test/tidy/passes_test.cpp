// The list of passes over derivatives.
#include "core/engine/tidy/passes.hpp"
#include "core/test/support/ir.hpp"
#include "core/test/support/ir_tests.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"

#include <gtest/gtest.h>

#include <set>

namespace assay::test {
namespace {

// core/test/ir/tidy/NAME.ll
TEST(TidyPasses, have_a_file_of_IR_tests_each) {
  EXPECT_EQ(misplaced_ir_tests("tidy", engine::tidy_names()), std::vector<std::string>{});
}

TEST(TidyPasses, have_one_name_each) {
  const std::vector<llvm::StringRef> names = engine::tidy_names();
  EXPECT_EQ(std::set<llvm::StringRef>(names.begin(), names.end()).size(), names.size());
}

/// The errors that a pass makes of code with arithmetic on the bits of a number.
std::vector<std::string> errors_of(const engine::TidyPass &pass) {
  llvm::LLVMContext context;
  std::vector<std::string> errors;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *list) {
        std::string text;
        llvm::raw_string_ostream out(text);
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
        static_cast<std::vector<std::string> *>(list)->push_back(text);
      },
      &errors);
  const std::unique_ptr<llvm::Module> module = parsed(R"(
declare double @assay.bits.double(i64)
define double @f(i64 %n) {
  %x = call double @assay.bits.double(i64 %n)
  ret double %x
})",
                                                      context);
  Analyses analyses;
  engine::run_tidy_pass(pass, *module->getFunction("f"), analyses.functions);
  return errors;
}

TEST(TidyPasses, that_do_not_keep_their_word_are_named) {
  const engine::TidyPass &honest = engine::passes_after_emission().front();
  EXPECT_EQ(errors_of(honest), std::vector<std::string>{});
  const auto do_nothing = [](llvm::Function &, llvm::FunctionAnalysisManager &) {
    return llvm::PreservedAnalyses::all();
  };
  const std::string property =
      "the property no-float-bits in 'f'; this is a fault of the engine: please report it with the source";
  EXPECT_EQ(errors_of({.name = "idle", .run = do_nothing, .leaves = honest.leaves}),
            std::vector<std::string>{"assay-tidy<idle> does not leave " + property});
  EXPECT_EQ(errors_of({.name = "idle", .run = do_nothing, .needs = honest.leaves}),
            std::vector<std::string>{"assay-tidy<idle> does not find " + property});
}

// Each need is left by a pass before it.
TEST(TidyPasses, find_in_the_order_of_the_list_what_they_need) {
  std::set<const engine::TidyProperty *> present{nullptr};
  for (const auto passes : {engine::passes_after_emission(), engine::passes_on_new_derivatives()})
    for (const engine::TidyPass &pass : passes) {
      EXPECT_TRUE(present.contains(pass.needs)) << pass.name.str();
      present.insert(pass.leaves);
    }
}

/// The names that LLVM's instrumentation sees.
std::vector<std::string> names_seen(llvm::function_ref<void(llvm::Function &, llvm::FunctionAnalysisManager &)> run) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed("define double @f(double %x) { ret double %x }", context);
  llvm::PassInstrumentationCallbacks callbacks;
  Analyses analyses{llvm::PassBuilder(nullptr, llvm::PipelineTuningOptions(), std::nullopt, &callbacks)};
  std::vector<std::string> seen;
  callbacks.registerAfterPassCallback([&](llvm::StringRef name, llvm::Any, const llvm::PreservedAnalyses &) {
    if (name.starts_with(engine::tidy_list))
      seen.push_back(name.str());
  });
  run(*module->getFunction("f"), analyses.functions);
  return seen;
}

TEST(TidyPasses, that_the_engine_runs_are_known_to_the_instrumentation_by_their_names) {
  std::vector<std::string> expected;
  for (const auto passes : {engine::passes_after_emission(), engine::passes_on_new_derivatives()})
    for (const engine::TidyPass &pass : passes)
      expected.push_back("assay-tidy<" + pass.name.str() + ">");
  EXPECT_EQ(names_seen(engine::tidy_new_derivative), expected);
}

TEST(TidyPasses, of_the_pipeline_are_known_to_the_instrumentation_by_their_names) {
  for (const auto passes : {engine::passes_before_vectorisers(), engine::passes_at_the_end()})
    for (const engine::LatePass &pass : passes) {
      const auto run = [&](llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        llvm::FunctionPassManager manager;
        pass.add(manager);
        manager.run(function, analyses);
      };
      EXPECT_EQ(names_seen(run), std::vector<std::string>{"assay-tidy<" + pass.name.str() + ">"});
    }
}

} // namespace
} // namespace assay::test
