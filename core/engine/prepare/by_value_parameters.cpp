#include "core/engine/prepare/by_value_parameters.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// What is copied; null for parameters that are no objects of the caller's.
Type *copied_type(const Argument &argument) {
  if (argument.hasByValAttr())
    return argument.getParamByValType();
  const Attribute copied =
      argument.getParent()->getAttributes().getParamAttr(argument.getArgNo(), copied_object_attribute);
  std::uint64_t bytes = 0;
  if (!copied.isValid() || copied.getValueAsString().getAsInteger(10, bytes))
    return nullptr;
  return ArrayType::get(Type::getInt8Ty(argument.getContext()), bytes);
}

} // namespace

void copy_by_value_parameters(Function &clone) {
  for (Argument &argument : clone.args()) {
    Type *type = copied_type(argument);
    if (!type)
      continue;
    const Align alignment = argument.getParamAlign().value_or(clone.getDataLayout().getABITypeAlign(type));
    BasicBlock &entry = clone.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(alignment);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, alignment, &argument, alignment, clone.getDataLayout().getTypeAllocSize(type));
    argument.removeAttr(Attribute::ByVal);
    argument.addAttr(Attribute::get(clone.getContext(), copied_object_attribute, "copied"));
  }
}

} // namespace assay::engine
