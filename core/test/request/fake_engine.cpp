// An engine that declares derivatives and writes none: the lowering of calls is tested alone. A function whose name
// begins with "unsupported" cannot be differentiated.

#include "core/engine/driver/engine.hpp"
#include "core/engine/request/derivative_abi.hpp"
#include "core/engine/request/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {

struct Engine::State {
  Module &module;
  Knowledge knowledge;
  FunctionAnalysisManager &analyses;
};

Engine::Engine(Module &module, Knowledge knowledge, ModuleAnalysisManager &analyses)
    : state_(new State{module, std::move(knowledge),
                       analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager()}) {}
Engine::~Engine() = default;

Expected<Function *> Engine::derivative(const Request &request) {
  if (request.function->getName().starts_with("unsupported"))
    return unsupported(*request.function, nullptr, "it cannot be differentiated", "leave it");
  static constexpr StringRef modes[] = {"forward.", "reverse.", "augmented.", "split."};
  std::string name = (modes[unsigned(request.mode)] + request.function->getName()).str();
  if (request.width > 1)
    name += ".width" + utostr(request.width);
  return cast<Function>(state_->module.getOrInsertFunction(name, DerivativeAbi(request).type()).getCallee());
}

void Engine::note_call(const Function &, const Function &, ArrayRef<std::pair<unsigned, const Value *>>) {}

const Knowledge &Engine::knowledge() const {
  return state_->knowledge;
}
Module &Engine::module() const {
  return state_->module;
}
FunctionAnalysisManager &Engine::function_analyses() const {
  return state_->analyses;
}
Expected<Function *> Engine::prepared(Function &function, Mode mode) {
  return &function;
}

} // namespace assay::engine
