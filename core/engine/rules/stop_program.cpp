#include "core/engine/rules/stop_program.hpp"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

// By the plainest means there are, because nothing is known of the program's libraries.
void emit_stop_with_message(IRBuilderBase &builder, Value &text, Value &length) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee write = module.getOrInsertFunction("write", builder.getInt64Ty(), builder.getInt32Ty(),
                                                    builder.getPtrTy(), builder.getInt64Ty());
  FunctionCallee abort = module.getOrInsertFunction("abort", builder.getVoidTy());
  constexpr int standard_error = 2;
  builder.CreateCall(write, {builder.getInt32(standard_error), &text, &length});
  builder.CreateCall(abort)->setDoesNotReturn();
}

void emit_stop_with_message(IRBuilderBase &builder, StringRef text) {
  Module &module = *builder.GetInsertBlock()->getModule();
  emit_stop_with_message(builder, *builder.CreateGlobalString(text, "", 0, &module), *builder.getInt64(text.size()));
}

} // namespace assay::engine
