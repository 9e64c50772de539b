#include "core/engine/emit/debug_info.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Operands of a DISubprogram that have no setters.
enum SubprogramOperand : unsigned {
  scope_operand = 1,
  name_operand = 2,
  declaration_operand = 6,
  containing_operand = 8
};

/// A definition of its own: not that of the member function which the primal's subprogram defines.
void detach_from_class(DISubprogram &subprogram) {
  if (isa_and_nonnull<DIType>(subprogram.getScope()))
    subprogram.replaceOperandWith(scope_operand, subprogram.getFile());
  subprogram.replaceOperandWith(declaration_operand, nullptr);
  if (subprogram.getContainingType())
    subprogram.replaceOperandWith(containing_operand, nullptr);
}

} // namespace

DebugLoc function_location(const Function &function) {
  if (DISubprogram *subprogram = function.getSubprogram())
    return DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram);
  return DebugLoc();
}

void copy_subprogram(const Function &model, Function &function) {
  const DISubprogram *subprogram = model.getSubprogram();
  if (!subprogram)
    return;
  DISubprogram *copy = MDNode::replaceWithDistinct(subprogram->clone());
  copy->replaceRetainedNodes(MDTuple::get(function.getContext(), {}));
  function.setSubprogram(copy);
}

Instruction *copy_for_shadow(const Instruction &primal) {
  Instruction *copy = primal.clone();
  copy->setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  return copy;
}

void finish_debug_info(Function &derivative, StringRef prefix) {
  DISubprogram *subprogram = derivative.getSubprogram();
  if (!subprogram)
    return;
  LLVMContext &context = derivative.getContext();
  detach_from_class(*subprogram);
  subprogram->replaceOperandWith(name_operand, MDString::get(context, (prefix + subprogram->getName()).str()));
  subprogram->replaceLinkageName(nullptr); // debuggers would show it in place of the name
  for (Instruction &instruction : instructions(derivative))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && !call->getDebugLoc())
      if (const Function *callee = call->getCalledFunction(); callee && callee->getSubprogram())
        call->setDebugLoc(DILocation::get(context, 0, 0, subprogram));
}

DebugLoc MovedLocations::operator()(const DebugLoc &location) {
  return location && subprogram_ ? DebugLoc(moved(location.get())) : DebugLoc();
}

/// Only the outermost location speaks of the function itself; blocks of its source are not told apart there.
DILocation *MovedLocations::moved(DILocation *location) {
  LLVMContext &context = location->getContext();
  DILocation *call = location->getInlinedAt();
  if (!call)
    return DILocation::get(context, location->getLine(), location->getColumn(), subprogram_);
  if (!calls_.contains(call)) {
    DILocation *outer = moved(call);
    calls_[call] = DILocation::getDistinct(context, outer->getLine(), outer->getColumn(), outer->getScope(),
                                           outer->getInlinedAt());
  }
  return DILocation::get(context, location->getLine(), location->getColumn(), location->getScope(), calls_[call]);
}

} // namespace assay::engine
