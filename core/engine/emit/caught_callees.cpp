#include "core/engine/emit/caught_callees.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// void stop(i1 whether)
Function *stop_function(Module &module, const Function &source) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), {Type::getInt1Ty(context)}, false);
  const std::string name = ("assay.primal.stop.caught." + source.getName()).str();
  return own_function(module, name, type, [&](Function &function) {
    auto *stop = BasicBlock::Create(context, "stop", &function), *end = BasicBlock::Create(context, "end", &function);
    auto *entry = BasicBlock::Create(context, "entry", &function, stop);
    IRBuilder<>(entry).CreateCondBr(function.getArg(0), stop, end);
    IRBuilder<> builder(stop);
    emit_stop_with_message(builder, "assay: '" + source_name(source) +
                                        "' catches an exception from a function that wrote values with a derivative "
                                        "before it threw, and that is called rather than inlined, as in recursion: "
                                        "that part of the derivative is not known; catch it in the function that "
                                        "throws, or write to memory behind the last call that may throw\n");
    builder.CreateUnreachable();
    IRBuilder<>(end).CreateRetVoid();
  });
}

/// Set while a call runs whose exception must not be caught; the handlers that the function can return from test it.
AllocaInst *running_flag(ForwardSweep &sweep) {
  if (sweep.uncatchable_runs)
    return sweep.uncatchable_runs;
  BasicBlock &entry = sweep.function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  sweep.uncatchable_runs = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "uncatchable.runs");
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(builder.getFalse(), sweep.uncatchable_runs);
  Function *stop = stop_function(sweep.engine.module(), *sweep.request.function);
  const BlocksReachingReturn live(sweep.prepared);
  for (const Instruction &instruction : instructions(sweep.prepared)) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || !live.contains(call->getParent()) || exception_role(*call) != ExceptionRole::catches)
      continue;
    builder.SetInsertPoint(cast<Instruction>(sweep.primal(call)));
    builder.CreateCall(stop, {builder.CreateLoad(builder.getInt1Ty(), sweep.uncatchable_runs)});
  }
  return sweep.uncatchable_runs;
}

} // namespace

void stop_where_caught(ForwardSweep &sweep, const InvokeInst &invoke) {
  AllocaInst *flag = running_flag(sweep);
  IRBuilder<> builder(cast<Instruction>(sweep.primal(&invoke)));
  builder.CreateStore(builder.getTrue(), flag);
  BasicBlock *normal = sweep.block(invoke.getNormalDest());
  builder.SetInsertPoint(normal, normal->getFirstInsertionPt());
  builder.CreateStore(builder.getFalse(), flag);
}

} // namespace assay::engine
