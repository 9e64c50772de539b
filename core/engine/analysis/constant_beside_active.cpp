#include "core/engine/analysis/activity.hpp"
#include "core/engine/analysis/activity_implementation.hpp"
#include "core/engine/analysis/only_read.hpp"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Whether a derivative needs the shadow of what these addresses lead to here. A called derivative finds out by itself.
bool is_used_here(const Argument &pointer) {
  SmallVector<const Value *, 8> addresses{&pointer};
  while (!addresses.empty())
    for (const User *user : addresses.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, CastInst, FreezeInst>(user))
        addresses.push_back(user);
      else if (isa<CallBase>(user) ? isa<MemIntrinsic>(user) : !isa<ICmpInst>(user))
        return true;
    }
  return false;
}

} // namespace

bool ActivityAnalysis::reads_constant_beside_active(const Request &request) const {
  const ShadowAnalysis &shadows = implementation_->shadows;
  const auto meets_active = [&](NodeId node) { return shadows.is_declared_constant(node) && shadows.has_shadow(node); };
  bool found = false;
  for (const Argument &argument : implementation_->memory.root().args()) {
    if (request.argument_activity[argument.getArgNo()] != Activity::constant || !argument.getType()->isPointerTy() ||
        none_of(implementation_->flow.reachable_nodes(argument), meets_active))
      continue;
    if (access_through(argument) != MemoryAccessKind::read)
      return false;
    found |= is_used_here(argument);
  }
  return found;
}

} // namespace assay::engine
