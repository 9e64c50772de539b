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

void write_unless_null(Function &function, function_ref<void(IRBuilder<> &)> write) {
  LLVMContext &context = function.getContext();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *note = BasicBlock::Create(context, "note", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), done, note);
  builder.SetInsertPoint(note);
  write(builder);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
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
