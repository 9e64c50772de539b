#pragma once
// The way through the engine, in one place: request, prepare, analysis, plan, emit, tidy. Derivatives are generated
// once and kept; a derivative that is asked for while it is being generated (recursion) is returned as its declaration.

#include "core/engine/plan/derivative_source.hpp"
#include <memory>

namespace assay::engine {

class Engine final : public DerivativeSource {
public:
  /// `analyses` are those of the pass pipeline that the engine runs in; they must have all default analyses registered.
  Engine(llvm::Module &module, FunctionInfo function_info, llvm::ModuleAnalysisManager &analyses);
  ~Engine() override;

  llvm::Expected<llvm::Function *> derivative(const Request &request) override;
  void note_call(const llvm::Function &caller, const llvm::Function &subject,
                 llvm::ArrayRef<std::pair<unsigned, const llvm::Value *>> actuals) override;
  const DerivativeInterface *interface_of(const llvm::Function &half) const override;
  void note_interface(const llvm::Function &half, DerivativeInterface interface) override;
  llvm::Expected<llvm::Function *> prepared(llvm::Function &function, Mode mode) override;
  const FunctionInfo &function_info() const override;
  llvm::Module &module() const override;
  llvm::FunctionAnalysisManager &function_analyses() const override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace assay::engine
