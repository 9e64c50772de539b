#pragma once
// Derivatives that the program calls by name enter the thread's pool of tapes (emit/tape_pool.hpp) before they call
// others: a gradient for the tapes of its callees, the halves of a split derivative to leave the pool alone.

#include "core/engine/emit/tape_pool.hpp"
#include "core/engine/support/request.hpp"
#include "llvm/ADT/MapVector.h"

namespace assay::engine {

class PoolScopes {
public:
  void note(llvm::Function &derivative, const Request &request) {
    if (request.mode != Mode::forward)
      scopes_[&derivative] = request.mode == Mode::reverse ? PoolScope::gradient : PoolScope::program;
  }
  /// Once all derivatives are written.
  void add() const {
    for (const auto &[derivative, scope] : scopes_)
      add_pool_scope(*derivative, scope);
  }

private:
  llvm::MapVector<llvm::Function *, PoolScope> scopes_;
};

} // namespace assay::engine
