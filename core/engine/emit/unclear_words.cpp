#include "core/engine/emit/unclear_words.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace assay::engine {
namespace {

std::string message(const Instruction &moved) {
  std::string text;
  raw_string_ostream out(text);
  out << "assay: ";
  if (const DebugLoc &place = moved.getDebugLoc())
    out << cast<DIScope>(place.getScope())->getFilename() << ':' << place.getLine() << ": ";
  out << "memory is copied in " << moved.getFunction()->getName()
      << " that may hold doubles or pairs of floats, and both copies carry derivatives; compile with -g or "
         "optimisation, "
         "which tell more types, or keep floats out of what is held in such memory";
  return text;
}

/// stop(unclear, text)
void write_stop(Function &function) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "", &function), *stop = BasicBlock::Create(context, "", &function),
             *done = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(function.getArg(0), stop, done);
  builder.SetInsertPoint(stop);
  builder.CreateCall(module.getOrInsertFunction("puts", builder.getInt32Ty(), builder.getPtrTy()),
                     {function.getArg(1)});
  builder.CreateCall(module.getOrInsertFunction("abort", builder.getVoidTy()))->setDoesNotReturn();
  builder.CreateUnreachable();
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

} // namespace

void emit_stop_if_unclear(IRBuilderBase &builder, Value &unclear, const Instruction &moved) {
  Module &module = *builder.GetInsertBlock()->getModule();
  auto *type = FunctionType::get(builder.getVoidTy(), {builder.getInt1Ty(), builder.getPtrTy()}, false);
  Function *stop = own_function(module, "assay.stop.if.unclear", type, write_stop);
  builder.CreateCall(stop, {&unclear, builder.CreateGlobalString(message(moved))});
}

} // namespace assay::engine
