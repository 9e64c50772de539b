#include "core/engine/prepare/null_accesses.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t page = 4096;

/// A constant that is an address of the first page of the plain address space.
bool is_near_null(const Value &pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto *cast = dyn_cast<ConstantExpr>(base);
  const auto *address =
      cast && cast->getOpcode() == Instruction::IntToPtr ? dyn_cast<ConstantInt>(cast->getOperand(0)) : nullptr;
  if (address)
    offset += address->getValue().zextOrTrunc(offset.getBitWidth());
  return isa<Constant>(pointer) && pointer.getType()->getPointerAddressSpace() == 0 &&
         (address || isa<ConstantPointerNull>(base)) && offset.ult(page);
}

bool is_null_access(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return pointer && !instruction.isVolatile() && is_near_null(*pointer, instruction.getDataLayout());
}

} // namespace

bool end_at_null_accesses(Function &function) {
  if (NullPointerIsDefined(&function))
    return false;
  SmallVector<Instruction *, 4> accesses;
  for (BasicBlock &block : function)
    if (auto found = find_if(block, is_null_access); found != block.end())
      accesses.push_back(&*found);
  for (Instruction *access : accesses) {
    IRBuilder<>(access).CreateIntrinsic(Intrinsic::trap, {});
    changeToUnreachable(access);
  }
  return !accesses.empty();
}

} // namespace assay::engine
