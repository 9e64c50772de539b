#include "core/engine/lowering/named_passes.hpp"
#include "core/engine/analysis/declared_integers.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/prepare/passes.hpp"
#include "core/engine/prepare/run_pass.hpp"
#include "core/engine/support/rule_adapters.hpp"
#include "core/engine/tidy/passes.hpp"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral whole_list = "all";

/// Prepares the functions of a module as the engine does, but for derivatives that nobody has asked for.
class ModulePreparation {
public:
  ModulePreparation(Module &module, FunctionInfo function_info, FunctionAnalysisManager &analyses)
      : module_(module), function_info_(std::move(function_info)), analyses_(analyses) {
    note_declared_integers(module_);
    adapt_rules(module_, function_info_);
    note_uses_only_double(module_);
  }
  ModulePreparation(const ModulePreparation &) = delete;
  ModulePreparation &operator=(const ModulePreparation &) = delete;
  ~ModulePreparation() {
    forget_uses_only_double(module_);
    for (auto [source, clone] : clones_)
      if (clone && clone->use_empty()) {
        analyses_.clear(*clone, clone->getName());
        clone->eraseFromParent();
      }
  }

  Error run(StringRef pass, Function &function) {
    function.removeFnAttr(Attribute::OptimizeNone); // LLVM's passes would do nothing; clones do not have it
    Preparation preparation{.context = context_, .source = function};
    if (pass != whole_list)
      return run_preparation(*find_preparation(pass), function, preparation);
    for (const PrepareStage stage : prepare_stages)
      if (Error error = run_preparations(stage, function, preparation))
        return error;
    return Error::success();
  }

private:
  Expected<Function *> prepared_callee(Function &callee) {
    if (auto found = clones_.find(&callee); found != clones_.end())
      return found->second;
    clones_[&callee] = nullptr;
    Expected<Function *> clone = prepare(callee, context_);
    if (!clone)
      clones_.erase(&callee);
    else
      clones_[&callee] = *clone;
    return clone;
  }

  Module &module_;
  FunctionInfo function_info_;
  FunctionAnalysisManager &analyses_;
  DenseMap<Function *, Function *> clones_; // null while being made
  PrepareContext context_{function_info_,
                          analyses_,
                          [this](Function &callee) { return prepared_callee(callee); },
                          [this](const Function &callee) {
                            const auto found = clones_.find(&callee);
                            return found != clones_.end() && !found->second;
                          },
                          [](const Function &callee) -> const Function & { return callee; },
                          [](const Function &) { return std::optional<TypeHints>(); }};
};

struct NamedList {
  StringLiteral name;
  std::vector<StringRef> (*passes)();
};
constexpr NamedList lists[] = {{prepare_list, preparation_names}, {tidy_list, tidy_names}};

} // namespace

PreservedAnalyses NamedPreparation::run(Module &module, ModuleAnalysisManager &analyses) {
  Expected<FunctionInfo> function_info = FunctionInfo::read(module);
  if (!function_info) {
    module.getContext().emitError(toString(function_info.takeError()));
    return PreservedAnalyses::all();
  }
  SmallVector<Function *, 16> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  ModulePreparation preparation(module, std::move(*function_info),
                                analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
  for (Function *function : functions)
    if (Error error = preparation.run(pass_, *function))
      module.getContext().emitError(toString(std::move(error)));
  return PreservedAnalyses::none();
}

bool add_named_pass(StringRef name, ModulePassManager &passes) {
  for (const NamedList &list : lists) {
    StringRef pass = name;
    if (!pass.consume_front(list.name) || !pass.consume_front("<") || !pass.consume_back(">"))
      continue;
    const std::vector<StringRef> known = list.passes();
    if (pass != whole_list && !is_contained(known, pass)) {
      errs() << "there is no pass '" << pass << "' in the list " << list.name << ", which has all, "
             << join(known, ", ") << "\n";
      return false;
    }
    if (list.name == prepare_list)
      passes.addPass(NamedPreparation(pass));
    else
      add_tidy_pass(pass, passes);
    return true;
  }
  return false;
}

void register_pass_names(PassInstrumentationCallbacks &callbacks) {
  static const std::vector<std::string> names = [] { // the callbacks keep references
    std::vector<std::string> all;
    for (const NamedList &list : lists)
      for (const StringRef pass : list.passes())
        all.push_back(full_name(list.name, pass));
    return all;
  }();
  for (const std::string &name : names)
    callbacks.addClassToPassName(name, name);
}

} // namespace assay::engine
