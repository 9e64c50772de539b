#include "core/engine/emit/ambiguous_fp_copy.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace assay::engine {
namespace {

StringRef message(UnclearCopy reason) {
  switch (reason) {
  case UnclearCopy::types:
    return "memory is copied that may hold doubles or pairs of floats, and both copies carry derivatives; compile "
           "with -g or optimisation, which tell more types, or keep floats out of what is held in such memory";
  case UnclearCopy::places:
    return "bytes are copied among which numbers begin at places that nothing tells, and both copies carry "
           "derivatives; read the numbers from one of the copies, or let them begin at multiples of their size and "
           "copy whole numbers";
  }
  return "";
}

std::string message(const Instruction &moved, UnclearCopy reason) {
  std::string text;
  raw_string_ostream out(text);
  out << "assay: ";
  if (const DebugLoc &place = moved.getDebugLoc())
    out << cast<DIScope>(place.getScope())->getFilename() << ':' << place.getLine() << ": ";
  out << "in '" << source_name(*moved.getFunction()) << "' " << message(reason) << '\n';
  return text;
}

/// stop(unclear, text, length)
void write_stop(Function &function) {
  LLVMContext &context = function.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "", &function), *stop = BasicBlock::Create(context, "", &function),
             *done = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(function.getArg(0), stop, done);
  builder.SetInsertPoint(stop);
  emit_stop_with_message(builder, *function.getArg(1), *function.getArg(2));
  builder.CreateUnreachable();
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

} // namespace

void emit_stop_if_unclear(IRBuilderBase &builder, Value &unclear, const Instruction &moved, UnclearCopy reason) {
  Module &module = *builder.GetInsertBlock()->getModule();
  auto *type =
      FunctionType::get(builder.getVoidTy(), {builder.getInt1Ty(), builder.getPtrTy(), builder.getInt64Ty()}, false);
  Function *stop = own_function(module, "assay.stop.if.unclear", type, write_stop);
  const std::string text = message(moved, reason);
  builder.CreateCall(stop, {&unclear, builder.CreateGlobalString(text), builder.getInt64(text.size())});
}

} // namespace assay::engine
