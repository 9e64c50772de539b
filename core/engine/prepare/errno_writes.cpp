#include "core/engine/prepare/errno_writes.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Itself, or through what it calls. Of functions without a body, those of the library do not.
bool asks_for_errno(const Function &function, SmallPtrSetImpl<const Function *> &asked) {
  if (!asked.insert(&function).second)
    return false;
  if (function.getName() == "__errno_location")
    return true;
  if (function.isDeclaration())
    return !function.isIntrinsic() && !library_function(function) &&
           !function.getMemoryEffects().getWithoutLoc(IRMemLocation::ErrnoMem).doesNotAccessMemory();
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm() || call->doesNotReturn())
      return false;
    const Function *callee = call->getCalledFunction();
    return !callee || asks_for_errno(*callee, asked);
  });
}

bool writes_errno_alone(const CallBase &call) {
  const MemoryEffects effects = call.getMemoryEffects();
  return effects.onlyAccessesErrnoMem() && !effects.doesNotAccessMemory() && call.doesNotThrow() &&
         call.hasFnAttr(Attribute::WillReturn);
}

} // namespace

bool drop_errno_writes(Function &function) {
  SmallPtrSet<const Function *, 16> asked;
  if (asks_for_errno(function, asked))
    return false;
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && writes_errno_alone(*call)) {
      call->setMemoryEffects(MemoryEffects::none());
      changed = true;
    }
  return changed;
}

} // namespace assay::engine
