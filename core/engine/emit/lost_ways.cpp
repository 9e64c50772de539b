#include "core/engine/emit/lost_ways.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// So that a release does not find the shadow of an earlier pointer.
void mirror_store(ForwardSweep &sweep, const StoreInst &store) {
  const auto place = sweep.shadows.find(store.getPointerOperand());
  const Value *value = store.getValueOperand();
  if (place == sweep.shadows.end() || !value->getType()->isPtrOrPtrVectorTy())
    return;
  auto *primal = cast<StoreInst>(sweep.primal(&store));
  const auto stored = sweep.shadows.find(value);
  for (unsigned lane = 0; lane < sweep.width; ++lane) {
    auto *copy = cast<StoreInst>(copy_for_shadow(*primal));
    if (stored != sweep.shadows.end())
      copy->setOperand(0, stored->second[lane]);
    copy->setOperand(1, place_unless_own(sweep, *primal, place->second[lane]));
    copy->insertAfter(primal->getIterator());
    relax_alignment(*copy);
  }
}

void mirror(ForwardSweep &sweep, const Instruction &instruction) {
  auto *primal = cast<Instruction>(sweep.primal(&instruction));
  Lanes lanes;
  for (unsigned lane = 0; lane < sweep.width; ++lane) {
    Instruction *copy = copy_for_shadow(*primal);
    for (auto [index, operand] : enumerate(instruction.operands()))
      if (auto found = sweep.shadows.find(operand.get()); found != sweep.shadows.end())
        copy->setOperand(unsigned(index), found->second[lane]);
    copy->insertAfter(lane == 0 ? primal->getIterator() : cast<Instruction>(lanes.back())->getIterator());
    relax_alignment(*copy);
    lanes.push_back(copy);
  }
  sweep.shadows[&instruction] = std::move(lanes);
}

} // namespace

void write_on_lost_way(ForwardSweep &sweep, ShadowMemory &memory, const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    const MemoryCall classified = classify_memory_call(*call, sweep.engine.function_info());
    if (classified.action == MemoryAction::release)
      memory.write_lost_release(*call, classified.pointer);
    return;
  }
  const auto has_shadow = [&](const Use &operand) { return sweep.shadows.contains(operand.get()); };
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    mirror_store(sweep, *store);
  else if (isa<PHINode, GetElementPtrInst, LoadInst, SelectInst, FreezeInst>(instruction) &&
           instruction.getType()->isPointerTy() && any_of(instruction.operands(), has_shadow))
    mirror(sweep, instruction);
}

} // namespace assay::engine
