#include "core/engine/emit/address_shadows.hpp"

#include "core/engine/support/diagnostics.hpp"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// True of a word behind an address that is computed itself, as the links of a list are whose links are computed.
bool may_be_link(const Value &word) {
  const auto *load = dyn_cast<LoadInst>(&word);
  return load && isa<IntToPtrInst>(getUnderlyingObject(load->getPointerOperand()));
}

} // namespace

Error check_arithmetic(const BinaryOperator &operation, bool left, bool right) {
  if (operation.getOpcode() != Instruction::Xor || left == right || !may_be_link(*operation.getOperand(left ? 1 : 0)))
    return Error::success();
  return unsupported(operation,
                     "an address is computed as the exclusive or of another one and an integer that may be "
                     "made of addresses",
                     "keep both addresses as pointers");
}

Value *shadow_of_arithmetic(IRBuilderBase &builder, BinaryOperator &primal, Value *left, Value *right) {
  if (left && right)
    return builder.CreateBinOp(primal.getOpcode(), left, right);
  if (primal.isShift())
    return builder.CreateBinOp(primal.getOpcode(), left, primal.getOperand(1));
  const bool negates = primal.getOpcode() == Instruction::Sub && right;
  if (negates)
    return builder.CreateSub(primal.getOperand(0), right);
  Value *distance = builder.CreateSub(&primal, primal.getOperand(left ? 0 : 1));
  return builder.CreateAdd(left ? left : right, distance);
}

} // namespace assay::engine
