#include "core/engine/support/synchronisation.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {

static Synchronisation by_name(StringRef name) {
  if (!name.consume_front("llvm.nvvm."))
    return Synchronisation::none;
  if (name.starts_with("read.ptx.sreg.envreg")) // where the barrier of a cooperative launch lies
    return Synchronisation::unsupported;
  if (name == "bar.warp.sync")
    return Synchronisation::warp;
  if (name.starts_with("membar.") || name.starts_with("fence."))
    return Synchronisation::fence;
  if (name.consume_front("barrier.cta.") && !name.starts_with("arrive"))
    return name.ends_with(".count") ? Synchronisation::some : Synchronisation::block;
  if (name.starts_with("arrive") || name.starts_with("barrier.cluster") || name.starts_with("mbarrier"))
    return Synchronisation::unsupported;
  return Synchronisation::none;
}

/// Instructions of the device that are written out. Where the barrier of a grid lies is read with the grid's ranks;
/// only who uses it can wait there.
static Synchronisation by_text(const CallBase &call, StringRef assembly) {
  const bool waits =
      assembly.contains("bar.") || assembly.contains("barrier.") || (assembly.contains("%envreg") && !call.use_empty());
  return waits ? Synchronisation::unsupported : Synchronisation::none;
}

Synchronisation synchronisation(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return Synchronisation::none;
  if (const auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return is_device_code(instruction) ? by_text(*call, assembly->getAsmString()) : Synchronisation::none;
  return isa<IntrinsicInst>(call) ? by_name(call->getCalledFunction()->getName()) : Synchronisation::none;
}

/// Whether `is_wanted` holds for an instruction of `function` or of a function that it calls by name.
static bool any_instruction(const Function &function, function_ref<bool(const Instruction &)> is_wanted) {
  SmallPtrSet<const Function *, 8> seen{&function};
  SmallVector<const Function *, 8> pending{&function};
  while (!pending.empty())
    for (const Instruction &instruction : instructions(*pending.pop_back_val())) {
      if (is_wanted(instruction))
        return true;
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !is_device_library_function(*callee) && seen.insert(callee).second)
        pending.push_back(callee);
    }
  return false;
}

bool synchronises(const Function &function) {
  return any_instruction(
      function, [](const Instruction &instruction) { return waits_for_threads(synchronisation(instruction)); });
}

bool communicates(const Function &function) {
  return any_instruction(function, [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return instruction.isAtomic() || instruction.isVolatile() ||
           synchronisation(instruction) != Synchronisation::none || (call && !call->getCalledFunction());
  });
}

} // namespace assay::engine
