#include "core/engine/tidy/repeated_work.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

bool is_cheap(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Call: {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    return intrinsic &&
           (intrinsic->getIntrinsicID() == Intrinsic::fmuladd || intrinsic->getIntrinsicID() == Intrinsic::fabs);
  }
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return false;
  default:
    return true;
  }
}

} // namespace assay::engine
