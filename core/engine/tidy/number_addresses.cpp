#include "core/engine/tidy/number_addresses.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {

void separate_addresses_from_numbers(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<IntToPtrInst>(&instruction);
    auto *bits = address ? dyn_cast<BitCastInst>(address->getOperand(0)) : nullptr;
    if (bits && bits->getOperand(0)->getType()->isFloatingPointTy())
      address->setOperand(0, IRBuilder<>(address).CreateFreeze(bits));
  }
}

} // namespace assay::engine
