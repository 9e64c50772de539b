#include "core/engine/prepare/lifetimes.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {

void drop_lifetimes(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (instruction.isLifetimeStartOrEnd())
      instruction.eraseFromParent();
}

} // namespace assay::engine
