#pragma once
// A user's forward rule does what its primal does, too. Where that changes memory of its arguments in place, the rule
// cannot run once for each lane, nor after the primal, as if nothing had happened: the primal's changes have to be
// put back in between. Which bytes these are, a copy of the primal tells that keeps a log of the bytes it overwrites
// (core/engine/library/write_log.c).

#include "core/engine/plan/derivative_source.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// True when a call of `rule`'s primal, or of its forward rule where that is not seen, may leave memory of its primal
/// arguments changed. `shadows`: which parameters of the forward rule are shadows.
llvm::Expected<bool> changes_arguments(DerivativeSource &engine, const UserRule &rule,
                                       const llvm::SmallBitVector &shadows);

/// The log of one call, in the frame of the function that `builder` writes to.
class LoggedWrites {
public:
  /// Calls a copy of the primal that logs its writes, and undoes its changes. An error where not all that it
  /// changes is seen.
  static llvm::Expected<LoggedWrites> record(DerivativeSource &engine, llvm::IRBuilderBase &builder,
                                             const llvm::CallBase &original, llvm::Function &primal,
                                             llvm::ArrayRef<llvm::Value *> arguments);
  /// The primal's result.
  llvm::Value *result() const { return result_; }
  /// Memory is again as it was before the primal.
  void put_back(llvm::IRBuilderBase &builder) const;
  void end(llvm::IRBuilderBase &builder) const;

private:
  llvm::AllocaInst *log_ = nullptr;
  llvm::Value *result_ = nullptr;
};

} // namespace assay::engine
