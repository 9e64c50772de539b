#include "core/engine/analysis/declared_integers.hpp"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

StringRef name_of_integer(const Type &type) {
  switch (type.isIntegerTy() ? type.getIntegerBitWidth() : 0) {
  case 16:
    return "short";
  case 32:
    return "int";
  case 64:
    return "long";
  default:
    return ""; // bytes may be anything
  }
}

/// Arguments that are passed in registers have structs without a name, of words that hold any two floats.
bool is_declared_struct(const StructType &type) {
  return type.hasName() && !type.getName().starts_with("union.");
}

bool is_declared_field(const GEPOperator &address) {
  bool in_struct = false;
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    const StructType *type = step.getStructTypeOrNull();
    if (type && !is_declared_struct(*type))
      return false;
    in_struct |= type != nullptr;
  }
  return in_struct;
}

MDNode *integer_tag(LLVMContext &context, StringRef name) {
  MDBuilder builder(context);
  MDNode *type = builder.createTBAAScalarTypeNode(name, builder.createTBAARoot("assay declared integers"));
  return builder.createTBAAStructTagNode(type, type, 0);
}

} // namespace

void note_declared_integers(Module &module) {
  for (Function &function : module)
    for (Instruction &access : instructions(function)) {
      const auto *pointer = getLoadStorePointerOperand(&access);
      const auto *field = dyn_cast_or_null<GEPOperator>(pointer);
      if (!field || access.hasMetadata(LLVMContext::MD_tbaa))
        continue;
      const Type *type = getLoadStoreType(&access);
      const StringRef name = name_of_integer(*type);
      if (!name.empty() && field->getResultElementType() == type && is_declared_field(*field))
        access.setMetadata(LLVMContext::MD_tbaa, integer_tag(module.getContext(), name));
    }
}

} // namespace assay::engine
