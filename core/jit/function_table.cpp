#include "core/jit/function_table.hpp"

#include "llvm/IR/Constants.h"
#include <cstddef>

namespace assay::jit {

void write_function_table(llvm::Module &module, llvm::StringRef name, const llvm::Module &program) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *row = llvm::StructType::get(pointer, pointer);
  std::vector<llvm::Constant *> rows;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage())
      continue;
    llvm::Constant *text = llvm::ConstantPointerNull::get(pointer);
    if (const llvm::Function *written = program.getFunction(function.getName()); written && !written->isDeclaration()) {
      llvm::Constant *symbol = llvm::ConstantDataArray::getString(context, function.getName());
      text = new llvm::GlobalVariable(module, symbol->getType(), true, llvm::GlobalValue::PrivateLinkage, symbol,
                                      "assay.name");
    }
    rows.push_back(llvm::ConstantStruct::get(row, &function, text));
  }
  rows.push_back(llvm::Constant::getNullValue(row));
  auto *type = llvm::ArrayType::get(row, rows.size());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage, llvm::ConstantArray::get(type, rows),
                           name);
}

void FunctionTable::add(const FunctionRow *table) {
  for (const FunctionRow *row = table; row->address; ++row)
    symbols_.emplace(row->address, row->name ? row->name : "");
}

std::string FunctionTable::symbol_at(const void *address) const {
  constexpr std::ptrdiff_t longest_function = std::ptrdiff_t(1) << 24;
  auto after = symbols_.lower_bound(address); // A return address may be the first byte behind its function.
  if (after == symbols_.begin())
    return {};
  --after;
  const auto distance = static_cast<const std::byte *>(address) - static_cast<const std::byte *>(after->first);
  return distance <= longest_function ? after->second : std::string();
}

} // namespace assay::jit
