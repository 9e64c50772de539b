#pragma once
// Calls of the runtime (arithmetic.hpp, transport.hpp) in IR.

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::widen {

class RuntimeCalls {
public:
  explicit RuntimeCalls(llvm::Module &module) : module_(module) {}

  llvm::Type *wide() const { return llvm::Type::getFP128Ty(module_.getContext()); }
  llvm::Type *word() const { return llvm::Type::getInt64Ty(module_.getContext()); }
  llvm::Type *pointer() const { return llvm::PointerType::getUnqual(module_.getContext()); }
  llvm::Type *nothing() const { return llvm::Type::getVoidTy(module_.getContext()); }
  llvm::Constant *still() const { return llvm::ConstantFP::getZero(wide()); }
  llvm::Constant *no_word() const { return llvm::ConstantInt::get(word(), 0); }
  llvm::Constant *number(std::uint32_t value) const {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(module_.getContext()), value);
  }

  /// `assay_wide_NAME` with these arguments.
  llvm::CallInst *call(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                       llvm::ArrayRef<llvm::Value *> arguments);

  /// A constant C string.
  llvm::Constant *text(llvm::StringRef text);
  /// `at f.c:12`, or `in f` without debug information.
  llvm::Constant *site(const llvm::Instruction &instruction);

private:
  llvm::Module &module_;
  llvm::StringMap<llvm::Constant *> texts_;
};

} // namespace assay::widen
