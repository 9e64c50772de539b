#include "core/jit/flat_function.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace assay::jit {

llvm::Function &declare_flat(llvm::Function &function, const std::string &name, llvm::ArrayRef<llvm::Type *> parameters,
                             llvm::Type &result) {
  llvm::LLVMContext &context = function.getContext();
  auto *flat = llvm::Function::Create(llvm::FunctionType::get(&result, parameters, false),
                                      llvm::GlobalValue::ExternalLinkage, name, function.getParent());
  flat->setCallingConv(function.getCallingConv());
  flat->setAttributes(llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex,
                                               llvm::AttrBuilder(context, function.getAttributes().getFnAttrs())));
  return *flat;
}

void describe_flat(llvm::Function &flat, const llvm::Function &function, llvm::DIBuilder &debug,
                   llvm::ArrayRef<llvm::Metadata *> types) {
  const llvm::DISubprogram &source = *function.getSubprogram();
  flat.setSubprogram(debug.createFunction(source.getScope(), source.getName(), flat.getName(), source.getFile(),
                                          source.getLine(),
                                          debug.createSubroutineType(debug.getOrCreateTypeArray(types)),
                                          source.getScopeLine(), source.getFlags(), source.getSPFlags()));
  debug.finalize();
}

llvm::DIType *pointer_to(llvm::DIBuilder &debug, const llvm::DIType &type) {
  return debug.createPointerType(const_cast<llvm::DIType *>(&type), 64);
}

llvm::DIType *array_of(llvm::DIBuilder &debug, const llvm::DIType &element, std::uint64_t bits, std::uint64_t count) {
  llvm::Metadata *extent = debug.getOrCreateSubrange(0, static_cast<std::int64_t>(count));
  return debug.createArrayType(bits * count, static_cast<std::uint32_t>(bits), const_cast<llvm::DIType *>(&element),
                               debug.getOrCreateArray({extent}));
}

} // namespace assay::jit
