#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

static constexpr StringLiteral adjoint_sum = "assay.adjoint_sum";
static constexpr StringLiteral group_of_sum = "assay.sum_group";

void mark_adjoint_sum(AtomicRMWInst &sum) {
  sum.setMetadata(adjoint_sum, MDNode::get(sum.getContext(), {}));
}

void mark_sum_group(Instruction &sum, MDNode &group) {
  sum.setMetadata(group_of_sum, &group);
}

MDNode *sum_group(const Instruction &sum) {
  return sum.getMetadata(group_of_sum);
}

static const CallInst *call_of(const Instruction &instruction, StringRef prefix) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(prefix) ? call : nullptr;
}

const CallInst *warp_add(const Instruction &instruction) {
  return call_of(instruction, warp_add_prefix);
}

MemoryEffects effects_of_warp_adds() {
  return MemoryEffects::argMemOnly() | MemoryEffects::inaccessibleMemOnly();
}

/// A call that adds one number at one place for each lane.
static const CallInst *sum_of_lanes(const Instruction &instruction) {
  for (const StringRef prefix : {warp_add_prefix, pairwise_prefix, partial_warp_prefix})
    if (const CallInst *call = call_of(instruction, prefix))
      return call;
  return nullptr;
}

const Value *place_of_adjoint_sum(const Instruction &instruction) {
  if (const CallInst *call = sum_of_lanes(instruction))
    return call->getArgOperand(0);
  const auto *sum = dyn_cast<AtomicRMWInst>(&instruction);
  return sum && sum->hasMetadata(adjoint_sum) ? sum->getPointerOperand() : nullptr;
}

Type *type_of_adjoint_sum(const Instruction &instruction) {
  const CallInst *call = sum_of_lanes(instruction);
  return call ? call->getArgOperand(1)->getType() : instruction.getType();
}

static const CallInst *sums_of_lanes(const Instruction &instruction) {
  for (const StringRef prefix : {grouped_warp_add_prefix, shifted_warp_add_prefix})
    if (const CallInst *call = call_of(instruction, prefix))
      return call;
  return nullptr;
}

const Value *place_of_sums(const Instruction &instruction) {
  const CallInst *call = sums_of_lanes(instruction);
  return call ? call->getArgOperand(0) : place_of_adjoint_sum(instruction);
}

Type *type_of_sums(const Instruction &instruction) {
  const CallInst *call = sums_of_lanes(instruction);
  return call ? call->getArgOperand(1)->getType() : type_of_adjoint_sum(instruction);
}

static bool adds_nothing(const Function &callee) {
  return callee.onlyReadsMemory() || is_device_library_function(callee) || callee.getName() == lanes_together_name ||
         callee.getName().starts_with("assay.tape.") || callee.getName().starts_with("assay.clear.") ||
         StringSwitch<bool>(callee.getName()).Cases({"malloc", "free", "vprintf", "__assertfail"}, true).Default(false);
}

bool may_hide_sums(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || isa<InlineAsm>(call->getCalledOperand()) || call->onlyReadsMemory())
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee || !adds_nothing(*callee);
}

} // namespace assay::engine
