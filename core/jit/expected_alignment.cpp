#include "core/jit/expected_alignment.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::jit {

namespace {

constexpr std::uint64_t alignment_of_numbers = 8;

/// Memory of the code's own may have any alignment.
bool is_aligned_given_memory(const llvm::Value &pointer, llvm::MaybeAlign alignment) {
  const llvm::Value *object = llvm::getUnderlyingObject(&pointer);
  return alignment.valueOrOne().value() > alignment_of_numbers && !llvm::isa<llvm::AllocaInst>(object) &&
         !llvm::isa<llvm::GlobalVariable>(object);
}

bool is_aligned_vector(const llvm::Value &pointer, const llvm::Type &type, llvm::Align alignment) {
  return type.isVectorTy() && is_aligned_given_memory(pointer, alignment);
}

/// Not optimised, a structure as wide as a vector is copied.
bool is_aligned_copy(const llvm::MemIntrinsic &intrinsic) {
  const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  return is_aligned_given_memory(*intrinsic.getRawDest(), intrinsic.getDestAlign()) ||
         (transfer && is_aligned_given_memory(*transfer->getRawSource(), transfer->getSourceAlign()));
}

/// Inline PTX may access four numbers at once, `ld.global.v4.f32`, or copy sixteen bytes.
bool accesses_memory(const llvm::InlineAsm &assembly) {
  return llvm::StringRef(assembly.getAsmString()).contains('[');
}

bool expects_alignment(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return is_aligned_vector(*load->getPointerOperand(), *load->getType(), load->getAlign());
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return is_aligned_vector(*store->getPointerOperand(), *store->getValueOperand()->getType(), store->getAlign());
  if (const auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return is_aligned_copy(*intrinsic);
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr)
    return accesses_memory(*assembly);
  return call && call->getOperandBundle("align").has_value();
}

} // namespace

bool expects_alignment(const llvm::Function &function) {
  llvm::DenseSet<const llvm::Function *> seen{&function};
  llvm::SmallVector<const llvm::Function *, 16> pending{&function};
  while (!pending.empty()) {
    const llvm::Function *next = pending.pop_back_val();
    for (const llvm::Argument &argument : next->args())
      if (next == &function && argument.getParamAlign().valueOrOne().value() > alignment_of_numbers)
        return true;
    for (const llvm::Instruction &instruction : llvm::instructions(*next)) {
      if (expects_alignment(instruction))
        return true;
      for (const llvm::Value *operand : instruction.operands())
        if (const auto *mentioned = llvm::dyn_cast<llvm::Function>(operand); mentioned && seen.insert(mentioned).second)
          pending.push_back(mentioned);
    }
  }
  return false;
}

} // namespace assay::jit
