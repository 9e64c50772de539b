#include "core/engine/plan/derivative_interface.hpp"

namespace assay::engine {

DerivativeInterface interface_of(const llvm::Function &sweep, const Plan &plan, bool defers_frees) {
  DerivativeInterface result;
  result.arguments_read.resize(sweep.arg_size());
  for (const llvm::Argument *argument : plan.arguments_read)
    result.arguments_read.set(argument->getArgNo());
  result.has_tape = !plan.tape.empty();
  result.defers_frees = defers_frees;
  return result;
}

} // namespace assay::engine
