#include "core/engine/emit/kept_calls.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {

void KeptCalls::note(Value &argument, Value &result, Function &callee) {
  known_.push_back({&argument, &result, &callee});
}

void KeptCalls::replace_calls() {
  for (const Known &known : known_)
    for (User *user : make_early_inc_range(known.argument->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != known.callee)
        continue;
      call->replaceAllUsesWith(known.result);
      call->eraseFromParent();
    }
  known_.clear();
}

} // namespace assay::engine
