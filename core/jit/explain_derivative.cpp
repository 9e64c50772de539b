#include "core/jit/explain_derivative.hpp"

#include "core/jit/device_pipeline.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/loaded_code.hpp"
#include "core/jit/pipeline.hpp"
#include "core/jit/reached_code.hpp"
#include "llvm/IR/Module.h"

namespace assay::jit {

ExplainedDerivative explain_derivative(const ModuleFile &file, const FunctionSignature &function,
                                       const Derivative &derivative, engine::PlanText plan_text) {
  const std::unique_ptr<llvm::TargetMachine> machine = target_machine(file.module());
  const ReachedCode reached(file, function, std::nullopt, {}, *machine, DebugInfo::variables);
  const std::unique_ptr<llvm::Module> module = reached.copy();
  write_derivative_entry(reached.checked_function(*module), derivative, "assay_entry_explained");
  reached.drop_unreached(*module);

  engine::ExplanationCollector collector(engine::Detail::full, plan_text);
  engine::TestHooks test_hooks;
  test_hooks.observer = &collector;
  ExplainedDerivative result;
  result.errors = file.is_device_code() ? differentiate_device_code(*module, file.level(), test_hooks, {})
                                        : run_pipeline(*module, *machine, file.level(), test_hooks);
  result.explanations = collector.take();
  return result;
}

} // namespace assay::jit
