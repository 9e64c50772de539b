#pragma once
// Passes of the engine's lists by their names, each alone: `assay-prepare<byte-loops>` (prepare/passes.hpp) and
// `assay-tidy<hoist-loads>` (tidy/passes.hpp) over every function of a module. `assay-prepare<all>` and
// `assay-tidy<all>` are the lists that the engine runs itself, in its order.

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace assay::engine {

/// A preparation, on the functions themselves in place of clones. Its knowledge of the program is from the
/// module's registration tables.
class NamedPreparation : public llvm::PassInfoMixin<NamedPreparation> {
public:
  explicit NamedPreparation(llvm::StringRef pass) : pass_(pass) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  std::string pass_;
};

/// Adds the pass that `name` stands for. False where it is none of a list; one that only looks like it is reported,
/// with the names that there are.
bool add_named_pass(llvm::StringRef name, llvm::ModulePassManager &passes);

/// Makes `-print-after` and relatives know the names.
void register_pass_names(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace assay::engine
