#include "core/engine/prepare/copied_integers.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned float_bits = 32;

/// The integer that an instruction stores, where it is wide enough for a float and comes from elsewhere as it is.
const Value *copied_integer(const Instruction &instruction) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  const Value *stored = store ? store->getValueOperand() : nullptr;
  const bool fits =
      stored && stored->getType()->isIntOrIntVectorTy() && stored->getType()->getPrimitiveSizeInBits() >= float_bits;
  return fits && !isa<Constant, BinaryOperator, CmpInst>(stored) ? stored : nullptr;
}

/// The address that an instruction stores where it is one at times and at others a word that was loaded as an integer:
/// the optimiser gave both one name, whatever the word is.
const PHINode *joined_word(const Instruction &instruction) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  const auto *phi = store ? dyn_cast<PHINode>(store->getValueOperand()) : nullptr;
  const bool has_word = phi && phi->getType()->isPointerTy() && any_of(phi->incoming_values(), [](const Use &use) {
                          const auto *address = dyn_cast<IntToPtrInst>(use);
                          return address && isa<LoadInst>(address->getOperand(0));
                        });
  return has_word ? phi : nullptr;
}

bool may_copy_integer(const Instruction &instruction) {
  return copied_integer(instruction) || joined_word(instruction) || isa<MemTransferInst>(instruction);
}

std::optional<std::uint64_t> size_of(const MemTransferInst &transfer) {
  const auto *size = dyn_cast<ConstantInt>(transfer.getLength());
  return size ? std::optional(size->getZExtValue()) : std::nullopt;
}

bool copies_declared_integers(const Instruction &instruction, const TypeAnalysis &types) {
  if (const Value *stored = copied_integer(instruction))
    return types.is_only_declared(*stored) && types.is_open(*instruction.getOperand(1));
  if (joined_word(instruction))
    return types.is_open(*instruction.getOperand(1));
  const auto *transfer = dyn_cast<MemTransferInst>(&instruction);
  return transfer && types.is_open(*transfer->getSource()) &&
         types.declares_integers(*transfer->getSource(), size_of(*transfer));
}

} // namespace

bool may_copy_integers(const Function &function) {
  return any_of(instructions(function), may_copy_integer);
}

bool copies_declared_integers(const Function &function, const TypeAnalysis &types) {
  return any_of(instructions(function),
                [&](const Instruction &instruction) { return copies_declared_integers(instruction, types); });
}

} // namespace assay::engine
