#include "core/jit/mutate/planted_sites.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::jit {

namespace {

void visit_operation(BinaryOperator &operation, Sites &sites) {
  if (operation.getOpcode() != Instruction::FAdd) {
    sites.push_back({FaultClass::sign, &operation});
    return;
  }
  for (const unsigned operand : {0U, 1U})
    if (!isa<Constant>(operation.getOperand(operand)))
      sites.push_back({FaultClass::dropped_term, &operation, operand});
}

void visit_fused(CallInst &sum, Sites &sites) {
  sites.push_back({FaultClass::dropped_term, &sum, 0, nullptr, [&sum] { sum.replaceAllUsesWith(sum.getArgOperand(2)); },
                   "without its product"});
  sites.push_back({FaultClass::dropped_term, &sum, 2, nullptr,
                   [&sum] { sum.setArgOperand(2, Constant::getNullValue(sum.getType())); }, "without what is added"});
}

} // namespace

Sites find_arithmetic_faults(Function &function, const Roles &roles) {
  Sites sites;
  for (Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<CallInst>(&instruction); call && releases_memory(*call)) {
      sites.push_back({FaultClass::missing_release, call});
      sites.push_back({FaultClass::double_release, call});
    }
    if (!roles.carries(&instruction) || !instruction.getType()->isFPOrFPVectorTy())
      continue;
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      visit_operation(*operation, sites);
    else if (isa<UnaryOperator>(instruction))
      sites.push_back({FaultClass::conjugate, &instruction});
    else if (is_fused(instruction))
      visit_fused(cast<CallInst>(instruction), sites);
    else if (isa<CallInst>(instruction))
      sites.push_back({FaultClass::sign, &instruction});
  }
  return sites;
}

} // namespace assay::jit
