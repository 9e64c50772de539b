#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

/// A thread of a device can print, and end the launch.
static void emit_stop_on_device(IRBuilderBase &builder, Value &text) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee print =
      module.getOrInsertFunction("vprintf", builder.getInt32Ty(), builder.getPtrTy(), builder.getPtrTy());
  Function &function = *builder.GetInsertBlock()->getParent();
  IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *arguments = entry.CreateAlloca(builder.getPtrTy());
  builder.CreateStore(&text, arguments);
  builder.CreateCall(print, {builder.CreateGlobalString("%s", "", 0, &module), arguments});
  builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::trap, {});
}

// By the plainest means there are, because nothing is known of the program's libraries.
void emit_stop_with_message(IRBuilderBase &builder, Value &text, Value &length) {
  Module &module = *builder.GetInsertBlock()->getModule();
  if (is_device_code(module))
    return emit_stop_on_device(builder, text);
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
