#pragma once
// The way through the engine, in one place: request, prepare, analysis, plan, emit, tidy. Derivatives are generated
// once and kept; a derivative that is asked for while it is being generated (recursion) is returned as its declaration.

#include "core/engine/request/knowledge.hpp"
#include "core/engine/request/request.hpp"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace assay::engine {

class Engine {
public:
  /// `analyses` are those of the pass pipeline that the engine runs in; they must have all default analyses registered.
  Engine(llvm::Module &module, Knowledge knowledge, llvm::ModuleAnalysisManager &analyses);
  ~Engine();

  /// The function that computes what `request` asks for; its signature is that of DerivativeAbi(request).
  llvm::Expected<llvm::Function *> derivative(const Request &request);
  /// The call that the next derivative is for: its subject, and the values that are passed as the subject's parameters.
  /// Where the subject does not tell what is in their memory, the caller may.
  void note_call(const llvm::Function &caller, const llvm::Function &subject,
                 llvm::ArrayRef<std::pair<unsigned, const llvm::Value *>> actuals);
  const Knowledge &knowledge() const;
  llvm::Module &module() const;
  llvm::FunctionAnalysisManager &function_analyses() const;
  /// The canonical clone of `function` that the engine differentiates, made at the first request; null where that is
  /// asked for while it is being made.
  llvm::Expected<llvm::Function *> prepared(llvm::Function &function, Mode mode);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace assay::engine
