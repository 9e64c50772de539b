#include "core/engine/emit/address_shadows.hpp"

using namespace llvm;

namespace assay::engine {

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
