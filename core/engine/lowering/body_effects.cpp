#include "core/engine/lowering/body_effects.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct Effects {
  bool reads = false, writes = false, throws = false;
  bool returns = true;
};

bool is_local(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return pointer && isa<AllocaInst>(getUnderlyingObject(pointer));
}

/// Calls of functions with a body are looked into themselves.
void add_instruction(Effects &effects, const Instruction &instruction, SetVector<const Function *> &reached) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    if (callee && !callee->isDeclaration() && !callee->isInterposable()) {
      reached.insert(callee);
      return;
    }
  }
  const bool is_marker_of_lifetime = isa<LifetimeIntrinsic>(instruction);
  if (!is_local(instruction) && !is_marker_of_lifetime) {
    effects.reads |= instruction.mayReadFromMemory();
    effects.writes |= instruction.mayWriteToMemory();
  }
  effects.throws |= instruction.mayThrow();
  effects.returns &= instruction.willReturn() || is_marker_of_lifetime;
}

bool has_loop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> edges;
  FindFunctionBackedges(function, edges);
  return !edges.empty();
}

bool calls(const Function &caller, const SetVector<const Function *> &functions) {
  return any_of(instructions(caller), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && functions.contains(call->getCalledFunction());
  });
}

Effects effects_of(const Function &function) {
  Effects effects;
  SetVector<const Function *> reached;
  reached.insert(&function);
  for (size_t next = 0; next < reached.size(); ++next) {
    const Function &body = *reached[next];
    for (const Instruction &instruction : instructions(body))
      add_instruction(effects, instruction, reached);
    // A cycle of calls need not end; calls of functions that were reached before are taken for one.
    SetVector<const Function *> before(reached.begin(), reached.begin() + next + 1);
    effects.returns &= !has_loop(body) && !calls(body, before);
  }
  return effects;
}

} // namespace

void note_effects(Function &function) {
  if (function.isDeclaration())
    return;
  const Effects effects = effects_of(function);
  if (!effects.reads && !effects.writes)
    function.setDoesNotAccessMemory();
  else if (!effects.writes)
    function.setOnlyReadsMemory();
  if (!effects.throws)
    function.setDoesNotThrow();
  if (effects.returns)
    function.setWillReturn();
}

} // namespace assay::engine
