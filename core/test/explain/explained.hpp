#pragma once
// IR text and the explanation of a derivative of its function `f`.

#include "core/engine/explain/collector.hpp"
#include "core/engine/lowering/engine.hpp"
#include "core/test/support/ir.hpp"
#include <gtest/gtest.h>

namespace assay::test {

enum class Observed { yes, no };

/// One letter for each argument and one for the result: c constant, d duplicated, a active.
class Explained {
public:
  Explained(const std::string &text, const std::string &activities, engine::Mode mode = engine::Mode::reverse,
            Observed observed = Observed::yes)
      : module_(parsed(text, context_)) {
    engine::Request request;
    request.function = module_->getFunction("f");
    request.mode = mode;
    for (unsigned index = 0; index < request.function->arg_size(); ++index)
      request.argument_activity.push_back(activity(activities.at(index)));
    request.return_activity = activity(activities.at(request.function->arg_size()));
    {
      Analyses analyses;
      engine::ExplanationCollector collector;
      engine::FunctionInfo function_info = llvm::cantFail(engine::FunctionInfo::read(*module_));
      engine::TestHooks test_hooks;
      if (observed == Observed::yes)
        test_hooks.observer = &collector;
      function_info.alter(test_hooks);
      engine::Engine engine(*module_, std::move(function_info), analyses.modules);
      llvm::Expected<llvm::Function *> derivative = engine.derivative(request);
      if (!derivative)
        error_ = llvm::toString(derivative.takeError());
      explanations_ = collector.take();
    }
    llvm::raw_string_ostream(module_text_) << *module_;
  }

  const std::vector<engine::Explanation> &all() const { return explanations_; }
  const engine::Explanation &of_f() const { return explanations_.at(0); }
  const std::string &error() const { return error_; }
  const std::string &module_text() const { return module_text_; }

  /// The first value whose IR begins with `%name =`, or that is the argument of that name.
  const engine::ExplainedValue &value(const std::string &name) const {
    for (const engine::ExplainedValue &value : of_f().values)
      if (value.ir.starts_with("%" + name + " =") || (value.is_argument && value.ir.ends_with(" %" + name)))
        return value;
    ADD_FAILURE() << "no value %" << name;
    return of_f().values.front();
  }

private:
  static engine::Activity activity(char letter) {
    return letter == 'd'   ? engine::Activity::duplicated
           : letter == 'a' ? engine::Activity::active
                           : engine::Activity::constant;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<engine::Explanation> explanations_;
  std::string error_, module_text_;
};

inline std::string text_of(const std::vector<engine::ExplainedStep> &steps) {
  std::string text;
  for (const engine::ExplainedStep &step : steps)
    text += (text.empty() ? "" : " -> ") + step.text;
  return text;
}

} // namespace assay::test
