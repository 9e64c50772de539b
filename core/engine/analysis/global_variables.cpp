#include "core/engine/analysis/global_variables.hpp"
#include "llvm/IR/Constants.h"

namespace assay::engine {

bool is_type_info(const llvm::GlobalVariable &global) {
  return global.getName().starts_with("_ZTI") || global.getName().starts_with("_ZTS");
}

bool is_type_description(const llvm::GlobalVariable &global) {
  return is_type_info(global) || global.getName().starts_with("_ZTV") || global.getName().starts_with("_ZTT");
}

bool is_virtual_table(const llvm::GlobalVariable &global) {
  const bool is_named_so = global.getName().starts_with("_ZTV") || global.getName().starts_with("_ZTC");
  return is_named_so && global.hasInitializer() && llvm::isa<llvm::ConstantStruct>(global.getInitializer());
}

bool has_known_size(const llvm::GlobalVariable &global) {
  llvm::Type *type = global.getValueType();
  return !global.isDeclaration() || (type->isSized() && !global.getDataLayout().getTypeAllocSize(type).isZero());
}

} // namespace assay::engine
