#include "core/engine/tidy/sum_order.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

bool commutes_with_sum(const Instruction &instruction, const MemoryLocation &place, AAResults &aliases) {
  if (!instruction.mayReadOrWriteMemory() || isa<AssumeInst>(instruction) || place_of_adjoint_sum(instruction))
    return true;
  if (synchronisation(instruction) != Synchronisation::none || instruction.isVolatile())
    return false;
  return !isModOrRefSet(aliases.getModRefInfo(&instruction, place));
}

} // namespace assay::engine
