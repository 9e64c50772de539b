#include "core/engine/plan/kept_arguments.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {

bool is_reached_from(const Value &pointer, function_ref<bool(const Argument &)> stays) {
  SmallVector<const Value *, 4> pending{&pointer};
  SmallPtrSet<const Value *, 8> seen;
  while (!pending.empty()) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(pending.pop_back_val(), objects, nullptr, 0);
    for (const Value *object : objects) {
      if (!seen.insert(object).second || isa<ConstantPointerNull>(object))
        continue;
      const auto *argument = dyn_cast<Argument>(object);
      const auto *load = dyn_cast<LoadInst>(object);
      if (argument ? !stays(*argument) : !load)
        return false;
      if (load)
        pending.push_back(load->getPointerOperand());
    }
  }
  return true;
}

} // namespace assay::engine
