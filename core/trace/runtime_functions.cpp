#include "core/trace/runtime_functions.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace assay::trace {

/// The memory of the run-time is none that the program sees.
static MemoryEffects runtime_effects() {
  return MemoryEffects::inaccessibleMemOnly(ModRefInfo::ModRef);
}

void make_harmless(Function &function) {
  function.setDoesNotThrow();
  function.setWillReturn();
  function.addFnAttr(Attribute::NoSync);
  function.addFnAttr(Attribute::NoFree);
  function.addFnAttr(Attribute::NoCallback);
  function.setMemoryEffects(runtime_effects());
}

FunctionCallee runtime_function(Module &module, StringRef name, Type *result, ArrayRef<Type *> parameters) {
  FunctionCallee callee =
      module.getOrInsertFunction(("assay_trace_" + name).str(), FunctionType::get(result, parameters, false));
  make_harmless(*cast<Function>(callee.getCallee()));
  return callee;
}

FunctionCallee inactive_runtime_function(Module &module, StringRef name, ArrayRef<Type *> parameters) {
  const bool known = module.getFunction(("assay_trace_" + name).str()) != nullptr;
  FunctionCallee callee = runtime_function(module, name, Type::getVoidTy(module.getContext()), parameters);
  auto &function = *cast<Function>(callee.getCallee());
  if (known)
    return callee;
  for (Argument &argument : function.args())
    if (argument.getType()->isPointerTy()) {
      argument.addAttr(Attribute::getWithCaptureInfo(module.getContext(), CaptureInfo::none()));
      argument.addAttr(Attribute::ReadNone);
    }
  write_table(module, "__enzyme_inactivefn_assay_trace_" + name, {&function});
  return callee;
}

void write_table(Module &module, const Twine &name, ArrayRef<Constant *> entries) {
  auto *type = ArrayType::get(PointerType::getUnqual(module.getContext()), entries.size());
  new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, ConstantArray::get(type, entries), name);
}

void add_runtime_effects(Function &caller) {
  caller.setMemoryEffects(caller.getMemoryEffects() | runtime_effects());
  caller.removeFnAttr(Attribute::Speculatable);
}

void add_runtime_effects(CallBase &call) {
  call.setMemoryEffects(call.getMemoryEffects() | runtime_effects());
}

} // namespace assay::trace
