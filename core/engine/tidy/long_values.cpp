#include "core/engine/tidy/long_values.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned long_block = 2000; // instructions
constexpr unsigned far = 40;          // instructions between two uses

using Positions = DenseMap<const Instruction *, unsigned>;

Positions positions_in(const BasicBlock &block) {
  Positions positions;
  for (const Instruction &instruction : block)
    positions[&instruction] = positions.size();
  return positions;
}

/// The instructions of its block that use the value, in order; none when others use it as well.
SmallVector<Instruction *, 4> uses_in_order(Instruction &value, const Positions &positions) {
  SmallVector<Instruction *, 4> users;
  for (User *user : value.users()) {
    auto *instruction = cast<Instruction>(user);
    if (instruction->getParent() != value.getParent() || isa<PHINode>(instruction))
      return {};
    users.push_back(instruction);
  }
  sort(users, [&](const Instruction *left, const Instruction *right) {
    return positions.lookup(left) < positions.lookup(right);
  });
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

/// What is loaded is used until the next use is far away.
bool keep_in_memory(Instruction &value, const Positions &positions) {
  unsigned last = positions.lookup(&value);
  Value *current = &value;
  AllocaInst *memory = nullptr;
  for (Instruction *user : uses_in_order(value, positions)) {
    const unsigned position = positions.lookup(user);
    if (position - last > far) {
      if (!memory) {
        BasicBlock &entry = value.getFunction()->getEntryBlock();
        memory = IRBuilder<>(&entry, entry.begin()).CreateAlloca(value.getType(), nullptr, "kept");
        IRBuilder<>(value.getNextNode()).CreateStore(&value, memory);
      }
      current = IRBuilder<>(user).CreateLoad(value.getType(), memory, value.getName());
    }
    user->replaceUsesOfWith(&value, current);
    last = position;
  }
  return memory;
}

bool shorten_values(BasicBlock &block) {
  const Positions positions = positions_in(block);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(block))
    if (positions.contains(&instruction) && instruction.getType()->isFPOrFPVectorTy() && !isa<PHINode>(instruction))
      changed |= keep_in_memory(instruction, positions);
  return changed;
}

/// The code generator would look for better orders of sums, and for that measure the whole block again and again.
bool fix_order(BasicBlock &block) {
  bool changed = false;
  for (Instruction &instruction : block)
    if (isa<FPMathOperator>(instruction) && instruction.hasAllowReassoc()) {
      instruction.setHasAllowReassoc(false);
      changed = true;
    }
  return changed;
}

} // namespace

PreservedAnalyses LongValuesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.hasFnAttribute(derivative_attribute))
    return PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock &block : function)
    if (block.size() > long_block) {
      changed |= fix_order(block);
      changed |= shorten_values(block);
    }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace assay::engine
