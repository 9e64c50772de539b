#include "core/engine/lowering/called_aliases.hpp"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace assay::engine {

void call_behind_aliases(Module &module) {
  for (GlobalAlias &alias : module.aliases()) {
    auto *function = dyn_cast<Function>(alias.getAliasee()->stripPointerCastsAndAliases());
    if (function && !alias.isInterposable())
      alias.replaceUsesWithIf(function, [](const Use &use) {
        const auto *call = dyn_cast<CallBase>(use.getUser());
        return call && call->isCallee(&use);
      });
  }
}

} // namespace assay::engine
