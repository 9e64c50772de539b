#include "core/engine/plan/late_releases.hpp"
#include "core/engine/analysis/pointer_escape.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {

namespace {

bool is_allocation(const CallBase &call, const FunctionInfo &function_info) {
  const MemoryAction action = classify_memory_call(call, function_info).action;
  return action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed;
}

/// Follows the pointer through address computations; false as soon as one use escapes.
bool stays_inside(const CallBase &allocation, const FunctionInfo &function_info) {
  SmallVector<const Value *, 8> pending{&allocation};
  SmallPtrSet<const Value *, 16> seen{&allocation};
  while (!pending.empty())
    for (const Use &use : pending.pop_back_val()->uses()) {
      if (is_passed_on(*use.getUser())) {
        if (seen.insert(use.getUser()).second)
          pending.push_back(use.getUser());
      } else if (escapes(use, function_info)) {
        return false;
      }
    }
  return true;
}

} // namespace

LateReleases find_late_releases(Function &prepared, const FunctionInfo &function_info) {
  LateReleases result;
  SmallPtrSet<const Value *, 8> inside;
  SmallVector<const CallBase *, 8> releases;
  for (Instruction &instruction : instructions(prepared))
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (is_stack_memory(*call))
        result.allocations.insert(call);
      else if (is_allocation(*call, function_info) && stays_inside(*call, function_info))
        inside.insert(call);
      else if (is_release(*call, function_info))
        releases.push_back(call);
    }

  // A release of something that may also be foreign memory must stay; then so must all that it may release.
  SmallPtrSet<const Value *, 8> mixed;
  bool changed = true;
  const auto objects_of = [&](const CallBase *release) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(release->getArgOperand(classify_memory_call(*release, function_info).pointer), objects,
                         nullptr, 0);
    return objects;
  };
  while (changed) {
    changed = false;
    for (const CallBase *release : releases) {
      const auto objects = objects_of(release);
      const bool all_inside = all_of(objects, [&](const Value *object) {
        return isa<ConstantPointerNull>(object) || isa<UndefValue>(object) ||
               (inside.contains(object) && !mixed.contains(object));
      });
      if (!all_inside)
        for (const Value *object : objects)
          changed |= inside.contains(object) && mixed.insert(object).second;
    }
  }
  for (const Value *allocation : inside)
    if (!mixed.contains(allocation))
      result.allocations.insert(cast<CallBase>(allocation));
  for (const CallBase *release : releases)
    if (all_of(objects_of(release), [&](const Value *object) {
          return isa<Constant>(object) ||
                 (isa<CallBase>(object) && result.allocations.contains(cast<CallBase>(object)));
        }))
      result.dropped.insert(release);
  return result;
}

} // namespace assay::engine
