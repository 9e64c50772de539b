#include "core/jit/mutate/lanes.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::jit {

static constexpr unsigned several = ~0U;

Lanes::Lanes(const Function &written, unsigned width) : width_(width) {
  begin_at_arguments(written);
  for (bool grows = true; grows;) {
    grows = false;
    for (const Instruction &instruction : instructions(written))
      grows |= spread(instruction);
  }
}

/// The shadows of an argument follow it, as many as there are lanes; seeds of the result have no names.
void Lanes::begin_at_arguments(const Function &written) {
  const bool is_one_function = !written.getName().starts_with("splitdiffe.");
  for (unsigned index = 0; is_one_function && index + width_ <= written.arg_size();) {
    const Argument &first = *written.getArg(index);
    const bool is_seed = first.getName().empty() && first.getType()->isFloatingPointTy();
    if (!first.getName().contains('\'') && !is_seed) {
      ++index;
      continue;
    }
    for (unsigned lane = 0; lane < width_; ++lane)
      lanes_[written.getArg(index++)] = lane;
  }
}

/// True when something new is known.
bool Lanes::join(const Value &value, unsigned lane) {
  const auto [known, is_new] = lanes_.try_emplace(&value, lane);
  if (is_new || known->second == lane || known->second == several)
    return is_new;
  known->second = several;
  return true;
}

bool Lanes::spread(const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
    const Value *memory = getUnderlyingObject(store->getPointerOperand());
    const auto stored = lanes_.find(store->getValueOperand());
    return stored != lanes_.end() && isa<AllocaInst>(memory) && memory->getName().contains('\'') &&
           join(*memory, stored->second);
  }
  if (instruction.getType()->isVoidTy())
    return false;
  bool grows = false;
  for (const Value *operand : instruction.operands())
    if (const auto known = lanes_.find(operand); known != lanes_.end())
      grows |= join(instruction, known->second);
  return grows;
}

std::optional<unsigned> Lanes::lane_of(const Value *value) const {
  const auto known = lanes_.find(value);
  return known == lanes_.end() || known->second == several ? std::nullopt : std::optional(known->second);
}

/// Both do the same in their lanes.
bool Lanes::corresponds(const Instruction &one, const Instruction &other, unsigned other_lane) const {
  if (one.getOpcode() != other.getOpcode() || one.getType() != other.getType() || lane_of(&other) != other_lane ||
      one.getNumOperands() != other.getNumOperands())
    return false;
  if (isa<PHINode>(one))
    return true;
  for (unsigned index = 0; index < one.getNumOperands(); ++index) {
    const Value *operand = one.getOperand(index), *of_other = other.getOperand(index);
    if (operand != of_other && !(lane_of(operand) == lane_of(&one) && lane_of(of_other) == other_lane))
      return false;
  }
  return true;
}

static StringRef name_of_primal(const Value &shadow) {
  return shadow.getName().split('\'').first;
}

Value *Lanes::twin(Value &value, unsigned lane) const {
  const std::optional<unsigned> own = lane_of(&value);
  if (!own || *own == lane)
    return nullptr;
  if (auto *argument = dyn_cast<Argument>(&value))
    return argument->getParent()->getArg(argument->getArgNo() - *own + lane);
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction)
    return nullptr;
  if (auto *memory = dyn_cast<AllocaInst>(instruction)) {
    for (Instruction &other : *memory->getParent())
      if (auto *found = dyn_cast<AllocaInst>(&other); found && lane_of(found) == lane &&
                                                      found->getAllocatedType() == memory->getAllocatedType() &&
                                                      name_of_primal(*found) == name_of_primal(*memory))
        return found;
    return nullptr;
  }
  for (Instruction *above = instruction->getPrevNode(); above; above = above->getPrevNode())
    if (corresponds(*instruction, *above, lane))
      return above;
  return nullptr;
}

} // namespace assay::jit
