#include "core/engine/prepare/by_value_parameters.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {

void copy_by_value_parameters(Function &clone) {
  for (Argument &argument : clone.args()) {
    if (!argument.hasByValAttr())
      continue;
    Type *type = argument.getParamByValType();
    const Align alignment = argument.getParamAlign().value_or(clone.getDataLayout().getABITypeAlign(type));
    BasicBlock &entry = clone.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(alignment);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, alignment, &argument, alignment, clone.getDataLayout().getTypeAllocSize(type));
    argument.removeAttr(Attribute::ByVal);
  }
}

} // namespace assay::engine
