#include "core/engine/rules/own_function.hpp"

using namespace llvm;

namespace assay::engine {

Function *own_function(Module &module, StringRef name, FunctionType *type, function_ref<void(Function &)> write) {
  if (Function *existing = module.getFunction(name))
    return existing;
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  write(*function);
  return function;
}

bool is_own_function(const Function &function) {
  return function.hasLocalLinkage() && function.getName().starts_with("assay.");
}

} // namespace assay::engine
