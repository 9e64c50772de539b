#include "core/engine/analysis/atomic_choice.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/extremum.hpp"
#include "core/engine/support/library_table.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

const Value *without_casts(const Value *value) {
  while (const auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

bool is_single_or_double(const Value &value) {
  return value.getType()->isFloatTy() || value.getType()->isDoubleTy();
}

/// The two values of which the instruction gives one; nothing where it is another.
std::optional<std::pair<const Value *, const Value *>> alternatives(const Value &value) {
  if (const auto *select = dyn_cast<SelectInst>(&value))
    return std::pair(select->getTrueValue(), select->getFalseValue());
  if (const auto *instruction = dyn_cast<Instruction>(&value); instruction && is_extremum(*instruction))
    return std::pair(instruction->getOperand(0), instruction->getOperand(1));
  return std::nullopt;
}

/// The values that are stored to a variable of the thread.
void collect_stored(const AllocaInst &variable, SmallSetVector<const Value *, 16> &result) {
  SmallSetVector<const Value *, 8> addresses;
  addresses.insert(&variable);
  for (unsigned index = 0; index < addresses.size(); ++index)
    for (const User *user : addresses[index]->users()) {
      if (const auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == addresses[index])
        result.insert(store->getValueOperand());
      else if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(user))
        addresses.insert(user);
    }
}

/// True where what the swap finds, in this or an earlier try, takes part in `value`.
bool depends_on_found(const Value &value, const AtomicCmpXchgInst &swap) {
  SmallSetVector<const Value *, 16> pending;
  pending.insert(&value);
  for (unsigned index = 0; index < pending.size(); ++index) {
    if (pending[index] == &swap)
      return true;
    if (const auto *instruction = dyn_cast<Instruction>(pending[index]))
      pending.insert(instruction->op_begin(), instruction->op_end());
    if (const auto *variable = dyn_cast<AllocaInst>(pending[index]))
      collect_stored(*variable, pending);
  }
  return false;
}

const Value *number_swapped_in(const AtomicCmpXchgInst &swap) {
  const Value *desired = without_casts(swap.getNewValOperand()), *assumed = without_casts(swap.getCompareOperand());
  if (const auto choice = alternatives(*desired)) {
    const Value *first = without_casts(choice->first), *second = without_casts(choice->second);
    if ((first == assumed) != (second == assumed))
      desired = first == assumed ? second : first;
  }
  return depends_on_found(*desired, swap) ? nullptr : desired;
}

const Value *number_compared_with(const AtomicRMWInst &update) {
  switch (update.getOperation()) {
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::FMaximum:
  case AtomicRMWInst::FMinimum:
    return without_casts(update.getValOperand());
  default:
    return nullptr;
  }
}

const Value *place_of(const Instruction &instruction) {
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return swap->getPointerOperand();
  return getLoadStorePointerOperand(&instruction);
}

/// Calls that write to no memory of the program: messages, and what ends the thread.
bool writes_nothing_visible(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return call.onlyReadsMemory() || call.onlyAccessesInaccessibleMemory() || call.doesNotReturn() ||
         (callee && (library_role(*callee) == LibraryRole::print || is_device_library_function(*callee)));
}

bool may_share(const Value &place, const Value &other) {
  const Value *one = getUnderlyingObject(&place, 0), *two = getUnderlyingObject(&other, 0);
  if (one == two)
    return true;
  if (is_in_shared_memory(place) && isa<Argument>(two))
    return false;
  return !isIdentifiedObject(one) || !isIdentifiedObject(two);
}

bool may_write_to(const Instruction &writer, const Value &place) {
  if (!writer.mayWriteToMemory() || synchronisation(writer) != Synchronisation::none)
    return false;
  if (const auto *intrinsic = dyn_cast<MemIntrinsic>(&writer))
    return may_share(place, *intrinsic->getRawDest());
  if (const auto *call = dyn_cast<CallBase>(&writer))
    return !writes_nothing_visible(*call);
  const Value *written = place_of(writer);
  return !written || may_share(place, *written);
}

} // namespace

bool is_in_shared_memory(const Value &place) {
  const auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(&place, 0));
  return (global && is_shared_memory(*global)) || is_in(*place.getType(), DeviceMemory::shared);
}

const Value *chosen_number(const Instruction &update) {
  if (!is_device_code(update))
    return nullptr;
  const auto *swap = dyn_cast<AtomicCmpXchgInst>(&update);
  const auto *in_place = dyn_cast<AtomicRMWInst>(&update);
  const Value *number = swap ? number_swapped_in(*swap) : in_place ? number_compared_with(*in_place) : nullptr;
  return number && is_single_or_double(*number) ? number : nullptr;
}

const Instruction *active_user_of_found(const Instruction &update, function_ref<bool(const Instruction &)> active) {
  SmallSetVector<const Instruction *, 8> pending;
  pending.insert(&update);
  for (unsigned index = 0; index < pending.size(); ++index)
    for (const User *user : pending[index]->users()) {
      const auto *instruction = cast<Instruction>(user);
      if (isa<CmpInst, AtomicCmpXchgInst>(instruction) || instruction == &update)
        continue;
      if (isa<ExtractValueInst, BitCastInst, PHINode, SelectInst>(instruction) || is_extremum(*instruction))
        pending.insert(instruction);
      else if (active(*instruction))
        return instruction;
    }
  return nullptr;
}

const Instruction *later_writer(const Instruction &update) {
  const Value &place = *place_of(update);
  // Blocks from their start, before a barrier and behind one.
  SmallSetVector<PointerIntPair<const BasicBlock *, 1, bool>, 16> pending;
  const auto walk = [&](BasicBlock::const_iterator from, const BasicBlock &block,
                        bool behind_barrier) -> const Instruction * {
    for (const Instruction &instruction : make_range(from, block.end())) {
      behind_barrier |= waits_for_threads(synchronisation(instruction));
      if (may_write_to(instruction, place) && (behind_barrier || !chosen_number(instruction)))
        return &instruction;
    }
    for (const BasicBlock *next : successors(&block))
      pending.insert(PointerIntPair<const BasicBlock *, 1, bool>(next, behind_barrier));
    return nullptr;
  };
  if (const Instruction *writer = walk(std::next(update.getIterator()), *update.getParent(), false))
    return writer;
  for (unsigned index = 0; index < pending.size(); ++index) {
    const BasicBlock &block = *pending[index].getPointer();
    if (const Instruction *writer = walk(block.begin(), block, pending[index].getInt()))
      return writer;
  }
  return nullptr;
}

} // namespace assay::engine
