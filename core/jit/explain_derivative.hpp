#pragma once
// What the engine has to say of a derivative: it is made as `assay check` makes it, but with the names of variables,
// and not compiled further.

#include "core/engine/explain/collector.hpp"
#include "core/engine/explain/explanation.hpp"
#include "core/jit/derivative.hpp"
#include "core/jit/module_file.hpp"

namespace assay::jit {

struct ExplainedDerivative {
  /// The derivative itself, then those of functions that it calls.
  std::vector<engine::Explanation> explanations;
  std::vector<std::string> errors; ///< Of the engine, as a compiler shows them. Empty: there is a derivative.
};

ExplainedDerivative explain_derivative(const ModuleFile &file, const FunctionSignature &function,
                                       const Derivative &derivative,
                                       engine::PlanText plan_text = engine::PlanText::omitted);

} // namespace assay::jit
