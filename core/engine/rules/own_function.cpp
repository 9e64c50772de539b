#include "core/engine/rules/own_function.hpp"
#include "llvm/ADT/STLExtras.h"

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

bool is_named_for_its_derivative(const Function &function) {
  if (!function.hasLocalLinkage())
    return false;
  return any_of(ArrayRef<StringRef>{"complex.", "primal.", "linear.", "bits.", "opaque_bits.", "shuffle."},
                [&](StringRef group) {
                  StringRef name = function.getName();
                  return name.consume_front("assay.") && name.starts_with(group);
                });
}

} // namespace assay::engine
