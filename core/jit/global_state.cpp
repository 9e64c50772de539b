#include "core/jit/global_state.hpp"

#include "llvm/IR/Constants.h"
#include <algorithm>

namespace assay::jit {

namespace {

bool can_change(const llvm::GlobalVariable &global) {
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  return layout.getTypeAllocSize(global.getValueType()) != 0 && !global.isDeclaration() && !global.isConstant() &&
         !global.isThreadLocal() && !global.hasAvailableExternallyLinkage() && !global.getName().starts_with("llvm.");
}

} // namespace

void write_global_table(llvm::Module &module, llvm::StringRef name) {
  llvm::LLVMContext &context = module.getContext();
  auto *size_type = llvm::Type::getInt64Ty(context);
  auto *row_type = llvm::StructType::get(llvm::PointerType::getUnqual(context), size_type);
  llvm::SmallVector<llvm::Constant *, 16> rows;
  for (llvm::GlobalVariable &global : module.globals())
    if (can_change(global))
      rows.push_back(llvm::ConstantStruct::get(
          row_type, &global,
          llvm::ConstantInt::get(size_type, module.getDataLayout().getTypeAllocSize(global.getValueType()))));
  rows.push_back(llvm::Constant::getNullValue(row_type));
  auto *type = llvm::ArrayType::get(row_type, rows.size());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage, llvm::ConstantArray::get(type, rows),
                           name);
}

GlobalState::GlobalState(const GlobalRow *table) {
  for (const GlobalRow *row = table; row->size != 0; ++row) {
    auto *address = static_cast<std::byte *>(row->address);
    variables_.push_back({address, std::vector<std::byte>(address, address + row->size)});
  }
}

void GlobalState::restore() const {
  for (const Variable &variable : variables_)
    std::copy(variable.contents.begin(), variable.contents.end(), variable.address);
}

} // namespace assay::jit
