#include "core/engine/lowering/refused_calls.hpp"
#include "core/engine/prepare/iterations.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace assay::engine {

void refuse_unknown_calls(Module &module, std::vector<Failure> &failures) {
  for (Function &function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with(convention_prefix) || convention_call(function))
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function)
        failures.push_back({call->getFunction(), call->getDebugLoc(),
                            unsupported(*call, "there is no function '" + function.getName() + "' in the convention",
                                        "call __enzyme_autodiff for gradients, __enzyme_fwddiff for tangents, or one "
                                        "of the others that the convention names")});
  }
}

void refuse_wrong_trip_counts(Module &module, std::vector<Failure> &failures) {
  for (Function &function : module) {
    if (convention_call(function) != ConventionCall::iterations)
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function && !is_trip_count(*call))
        failures.push_back({call->getFunction(), call->getDebugLoc(),
                            unsupported(*call, "__enzyme_iter takes two integers and gives one",
                                        "write __enzyme_iter(n, more): n iterations, and more of them in what is "
                                        "differentiated")});
  }
}

} // namespace assay::engine
