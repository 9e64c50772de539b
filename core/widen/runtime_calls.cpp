#include "core/widen/runtime_calls.hpp"

#include "core/widen/twins.hpp"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

namespace assay::widen {

llvm::CallInst *RuntimeCalls::call(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                                   llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 6> types;
  for (const llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::FunctionCallee callee = module_.getOrInsertFunction(("assay_wide_" + name).str(), type);
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return builder.CreateCall(callee, arguments);
}

llvm::Constant *RuntimeCalls::text(llvm::StringRef text) {
  llvm::Constant *&known = texts_[text];
  if (!known) {
    llvm::Constant *content = llvm::ConstantDataArray::getString(module_.getContext(), text);
    auto *global = new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                            content, "assay.wide.text");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    known = global;
  }
  return known;
}

llvm::Constant *RuntimeCalls::site(const llvm::Instruction &instruction) {
  if (const llvm::DILocation *location = instruction.getDebugLoc().get(); location && location->getLine() != 0)
    return text(
        ("at " + llvm::sys::path::filename(location->getFilename()) + ":" + llvm::Twine(location->getLine())).str());
  return text("in " + llvm::demangle(name_without_suffix(*instruction.getFunction()).str()));
}

} // namespace assay::widen
