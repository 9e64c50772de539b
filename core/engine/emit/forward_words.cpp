// The helpers that a gradient moves words by, which may be numbers or addresses, when it is differentiated: each has a
// helper for its tangents.
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/support/library_bodies.hpp"

using namespace llvm;

namespace assay::engine {

/// Before the primal's words move, which tell what their tangents are. Words without a tangent are addresses that are
/// their own shadows, and numbers to which no adjoint goes on.
void ForwardEmitter::move_words(CallBase &original) {
  const TaggedCopy move = tagged_copy(original);
  Value &target = *original.getArgOperand(0);
  if (!is_shadowed(target))
    return;
  Module &module = *original.getModule();
  Value *source = has_source(move) ? original.getArgOperand(1) : nullptr;
  const unsigned length_index = source ? 2 : 1;
  Function *helper = library_helper(module, tangent_name(*original.getCalledFunction()));
  Function *clear = nullptr;
  if (move == TaggedCopy::adjoint)
    clear = library_helper(module, "assay.tangent.words.cleared.adjoint");
  auto *copy = cast<CallBase>(primal(original));
  builder_.SetInsertPoint(copy);
  const Lanes targets = lanes(target);
  const Lanes sources = source ? lanes(*source) : Lanes();
  Value *none = builder_.getInt64(0);
  Value *is_unclear = nullptr;
  for (unsigned lane = 0; lane < request_.width; ++lane) {
    Value *length = primal(*original.getArgOperand(length_index));
    if (request_.options.runtime_activity)
      length = builder_.CreateSelect(builder_.CreateICmpEQ(targets[lane], primal(target)), none, length);
    if (clear) { // what goes on to words without a tangent ends here
      Value *ends = builder_.CreateICmpEQ(sources[lane], primal(*source));
      builder_.CreateCall(clear, {targets[lane], builder_.CreateSelect(ends, length, none), primal(target)});
      length = builder_.CreateSelect(ends, none, length);
    }
    SmallVector<Value *, 6> arguments{targets[lane]};
    if (source)
      arguments.push_back(sources[lane]);
    arguments.push_back(length);
    for (unsigned index = length_index + 1; index < original.arg_size(); ++index)
      arguments.push_back(primal(*original.getArgOperand(index)));
    arguments.push_back(primal(target));
    if (source)
      arguments.push_back(primal(*source));
    CallInst *call = builder_.CreateCall(helper, arguments);
    if (!call->getType()->isVoidTy())
      is_unclear = is_unclear ? builder_.CreateOr(is_unclear, call) : call;
  }
  if (!is_unclear)
    return;
  builder_.SetInsertPoint(copy->getNextNode());
  auto *either = cast<Instruction>(builder_.CreateOr(copy, is_unclear));
  copy->replaceUsesWithIf(either, [&](const Use &use) { return use.getUser() != either; });
}

} // namespace assay::engine
