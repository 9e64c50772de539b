#include "core/engine/support/heap_shadows.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::engine {

static constexpr StringLiteral shadow_allocation = "assay.shadow_allocation", shadow_release = "assay.shadow_release";

CallInst *zeroed_shadow(IRBuilderBase &builder, const CallBase &allocation, Value *bytes) {
  const Function *function = allocation.getCalledFunction();
  if (!function || function->getName() != "malloc" || is_device_code(*function->getParent())) // which has no calloc
    return nullptr;
  Module &module = *const_cast<Module *>(function->getParent());
  Type *word = bytes->getType();
  CallInst *zeroed = builder.CreateCall(
      module.getOrInsertFunction("calloc", FunctionType::get(allocation.getType(), {word, word}, false)),
      {ConstantInt::get(word, 1), bytes});
  zeroed->addRetAttr(Attribute::NoAlias);
  zeroed->setDoesNotThrow();
  mark_shadow_allocation(*zeroed);
  return zeroed;
}

void mark_shadow_allocation(Instruction &allocation) {
  allocation.setMetadata(shadow_allocation, MDNode::get(allocation.getContext(), {}));
}

bool is_shadow_allocation(const Instruction &instruction) {
  return instruction.hasMetadata(shadow_allocation);
}

void mark_shadow_release(CallBase &release) {
  release.setMetadata(shadow_release, MDNode::get(release.getContext(), {}));
}

bool is_shadow_release(const Instruction &instruction) {
  return instruction.hasMetadata(shadow_release);
}

} // namespace assay::engine
