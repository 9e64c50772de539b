#include "core/engine/analysis/doubles_alone.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_narrow_or_wide(const Type &type) {
  return type.isFPOrFPVectorTy() && !type.getScalarType()->isDoubleTy();
}

/// Constants of such types are the limits and factors of containers.
bool moves_others(const Instruction &instruction) {
  if (is_narrow_or_wide(*instruction.getType()))
    return true;
  return any_of(instruction.operands(), [](const Use &operand) {
    return is_narrow_or_wide(*operand->getType()) && !isa<Constant>(operand.get());
  });
}

} // namespace

bool computes_with_doubles_alone(const Module &module) {
  return none_of(module, [](const Function &function) { return any_of(instructions(function), moves_others); });
}

} // namespace assay::engine
