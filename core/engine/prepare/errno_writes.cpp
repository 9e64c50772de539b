#include "core/engine/prepare/errno_writes.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool asks_for_errno(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == "__errno_location";
  });
}

bool writes_errno_alone(const CallBase &call) {
  const MemoryEffects effects = call.getMemoryEffects();
  return effects.onlyAccessesErrnoMem() && !effects.doesNotAccessMemory() && call.doesNotThrow() &&
         call.hasFnAttr(Attribute::WillReturn);
}

} // namespace

bool drop_errno_writes(Function &function) {
  if (asks_for_errno(function))
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
