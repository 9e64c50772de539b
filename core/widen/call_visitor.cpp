// Calls of functions that are widened too: movements go through slots beside the arguments and results, announced with
// the address of the callee, so that pointers to functions stay what they are and code that is not widened may stand
// between.

#include "core/widen/externals.hpp"
#include "core/widen/function_widener.hpp"
#include "core/widen/run.hpp"
#include "core/widen/widen.hpp"

#include "llvm/IR/InlineAsm.h"

namespace assay::widen {

void FunctionWidener::visitCallBase(llvm::CallBase &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return call_intrinsic(*intrinsic);
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    if (assembly->getAsmString().empty() && leaves(call).empty())
      return; // A barrier.
    return lose_call(call, "inline assembly");
  }
  if (call.hasFnAttr(no_numbers_attribute))
    return;
  const llvm::Function *callee = call.getCalledFunction();
  if (callee && callee->isDeclaration())
    return call_external(call, *callee);
  if (call.hasFnAttr(not_followed_attribute))
    return lose_call(call, call.getFnAttr(not_followed_attribute).getValueAsString());
  call_widened(call);
}

void FunctionWidener::write_arguments(llvm::CallBase &call) {
  llvm::IRBuilder<> builder = before(call);
  llvm::Value *slots = runtime_.call(builder, "call", runtime_.pointer(), {call.getCalledOperand()});
  unsigned index = 0;
  for (unsigned position = 0; position < call.arg_size(); ++position) {
    llvm::Value *argument = call.getArgOperand(position);
    if (position >= call.getFunctionType()->getNumParams()) {
      inspect(builder, argument, runtime_.site(call));
      for (std::size_t leaf = 0; leaf < leaves(*argument).size(); ++leaf)
        if (leaves(*argument)[leaf].kind == Leaf::Kind::number)
          runtime_.call(builder, "lose", runtime_.nothing(),
                        {twin(argument, leaf), runtime_.text("an argument behind the ... of a function")});
      continue;
    }
    for (std::size_t leaf = 0; leaf < leaves(*argument).size() && index < Run::Transfer::capacity; ++leaf)
      builder.CreateStore(twin(argument, leaf), slot(builder, slots, index++));
  }
}

void FunctionWidener::read_results(llvm::CallBase &call) {
  if (call.doesNotReturn() && leaves(call).empty())
    return;
  llvm::IRBuilder<> builder = after(call);
  llvm::Value *slots =
      runtime_.call(builder, "results", runtime_.pointer(), {call.getCalledOperand(), runtime_.site(call)});
  Twins twins;
  unsigned index = 0;
  for (const Leaf &leaf : leaves(call))
    twins.push_back(builder.CreateLoad(zero(leaf)->getType(), slot(builder, slots, index++)));
  set_twins(call, std::move(twins));
}

void FunctionWidener::call_widened(llvm::CallBase &call) {
  if (auto *plain = llvm::dyn_cast<llvm::CallInst>(&call))
    if (plain->isMustTailCall())
      plain->setTailCallKind(llvm::CallInst::TCK_None);
  write_arguments(call);
  read_results(call);
}

void FunctionWidener::lose_call(llvm::CallBase &call, llvm::StringRef what) {
  llvm::IRBuilder<> builder = before(call);
  runtime_.call(builder, "lose_always", runtime_.nothing(), {runtime_.text(what)});
}

void FunctionWidener::lose_arguments(llvm::CallBase &call, llvm::StringRef what) {
  llvm::IRBuilder<> builder = before(call);
  for (llvm::Value *argument : call.args()) {
    inspect(builder, argument, runtime_.site(call));
    for (std::size_t leaf = 0; leaf < leaves(*argument).size(); ++leaf)
      if (leaves(*argument)[leaf].kind == Leaf::Kind::number && !llvm::isa<llvm::Constant>(twin(argument, leaf)))
        runtime_.call(builder, "lose", runtime_.nothing(), {twin(argument, leaf), runtime_.text(what)});
  }
}

} // namespace assay::widen
