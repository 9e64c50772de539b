#include "core/test/lowering/declared_derivatives.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

class DeclaredDerivatives final : public DerivativeSource {
public:
  DeclaredDerivatives(Module &module, FunctionInfo function_info, ModuleAnalysisManager &analyses)
      : module_(module), function_info_(std::move(function_info)),
        analyses_(analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()) {}

  Expected<Function *> derivative(const Request &request) override {
    if (request.function->getName().starts_with("unsupported"))
      return unsupported(*request.function, nullptr, "it cannot be differentiated", "leave it");
    static constexpr StringRef modes[] = {"forward.", "reverse.", "augmented.", "split."};
    std::string name = (modes[unsigned(request.mode)] + request.function->getName()).str();
    if (request.width > 1)
      name += ".width" + utostr(request.width);
    return cast<Function>(module_.getOrInsertFunction(name, DerivativeAbi(request).type()).getCallee());
  }
  void note_call(const Function &, const Function &, ArrayRef<std::pair<unsigned, const Value *>>) override {}
  const DerivativeInterface *interface_of(const Function &) const override { return nullptr; }
  void note_interface(const Function &, DerivativeInterface) override {}
  Expected<Function *> prepared(Function &function, Mode) override { return &function; }
  const FunctionInfo &function_info() const override { return function_info_; }
  Module &module() const override { return module_; }
  FunctionAnalysisManager &function_analyses() const override { return analyses_; }

private:
  Module &module_;
  FunctionInfo function_info_;
  FunctionAnalysisManager &analyses_;
};

} // namespace

std::unique_ptr<DerivativeSource> declare_derivatives(Module &module, FunctionInfo function_info,
                                                      ModuleAnalysisManager &analyses) {
  return std::make_unique<DeclaredDerivatives>(module, std::move(function_info), analyses);
}

} // namespace assay::engine
