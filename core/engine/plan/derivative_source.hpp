#pragma once
// Where planning and writing a derivative get the derivatives of called functions, and the knowledge of the program.

#include "core/engine/plan/derivative_interface.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

class DerivativeSource {
public:
  virtual ~DerivativeSource() = default;

  /// The derivative that `request` asks for; its signature is that of DerivativeAbi(request).
  virtual llvm::Expected<llvm::Function *> derivative(const Request &request) = 0;
  /// The call that the next derivative is for: its subject, and the values that are passed as the subject's parameters.
  /// Where the subject does not tell what is in their memory, the caller may.
  virtual void note_call(const llvm::Function &caller, const llvm::Function &subject,
                         llvm::ArrayRef<std::pair<unsigned, const llvm::Value *>> actuals) = 0;
  /// The interface of this half of a split derivative for its callers; null while that is being planned.
  virtual const DerivativeInterface *interface_of(const llvm::Function &half) const = 0;
  virtual void note_interface(const llvm::Function &half, DerivativeInterface interface) = 0;
  /// The canonical clone of `function` that the engine differentiates, made at the first request; null where that is
  /// asked for while it is being made.
  virtual llvm::Expected<llvm::Function *> prepared(llvm::Function &function, Mode mode) = 0;

  virtual const FunctionInfo &function_info() const = 0;
  virtual llvm::Module &module() const = 0;
  virtual llvm::FunctionAnalysisManager &function_analyses() const = 0;
};

} // namespace assay::engine
