#pragma once
// The call in the program that a derivative is made for, and its caller's knowledge of the memory that it passes. It is
// asked only where a function does not tell the types of its memory by itself.

#include "core/engine/analysis/type_hints.hpp"
#include "llvm/IR/ValueHandle.h"

namespace assay::engine {

class CallSite {
public:
  CallSite() = default;
  CallSite(const llvm::Function &caller, const llvm::Function &subject,
           llvm::ArrayRef<std::pair<unsigned, const llvm::Value *>> actuals);

  /// Takes over what is known of the caller, where `earlier` passes the same memory: as the candidates of an indirect
  /// call do, and the modes of one derivative.
  void reuse_hints(const CallSite &earlier);

  /// Of the arguments of `function`: the subject, or something that it calls.
  std::optional<TypeHints> hints_for(const llvm::Function &function);

private:
  const TypeHints &hints_for_subject();

  const llvm::Function *caller_ = nullptr, *subject_ = nullptr;
  struct Actual {
    unsigned formal;
    llvm::WeakVH value; ///< Null once it was deleted: another value may have its address.
  };
  llvm::SmallVector<Actual, 8> actuals_;
  std::optional<TypeHints> hints_;              ///< For the subject.
  std::unique_ptr<TypeAnalysis> subject_types_; ///< Of its own body, with those hints.
};

} // namespace assay::engine
