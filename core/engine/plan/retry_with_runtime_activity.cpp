#include "core/engine/plan/retry_with_runtime_activity.hpp"

using namespace llvm;

namespace assay::engine {

Expected<Function *> retry_with_runtime_activity(DerivativeSource &engine, ArrayRef<unsigned> beside, Request &request,
                                                 Error reason) {
  if (beside.empty())
    return std::move(reason);
  Request other = request;
  other.options.runtime_activity = true;
  for (const unsigned index : beside)
    other.argument_activity[index] = Activity::duplicated;
  Expected<Function *> derivative = engine.derivative(other);
  if (!derivative) {
    consumeError(derivative.takeError());
    return std::move(reason);
  }
  consumeError(std::move(reason));
  request = other;
  return derivative;
}

} // namespace assay::engine
