#include "core/engine/prepare/own_resources.hpp"
#include "core/engine/support/memory_resources.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// The resources of the library that a constant refers to, and the engine's own in their place. Asked of what a
/// function refers to, as a module may have many functions and many more names.
class OwnResources {
public:
  /// `constant` with the engine's own resources.
  Constant *in(Constant &constant) {
    find(constant);
    return map_.empty() ? &constant : MapValue(&constant, map_, RF_NoModuleLevelChanges);
  }

private:
  void find(const Constant &constant) {
    if (!seen_.insert(&constant).second)
      return;
    if (const auto *global = dyn_cast<GlobalValue>(&constant)) {
      if (global->getName().contains("NSt3pmr"))
        if (GlobalValue *own = own_resource_for(*global))
          map_[global] = own;
      return;
    }
    for (const Use &operand : constant.operands())
      if (const auto *part = dyn_cast<Constant>(operand.get()))
        find(*part);
  }

  SmallPtrSet<const Constant *, 32> seen_;
  ValueToValueMapTy map_;
};

} // namespace

bool use_own_resources(Function &function) {
  OwnResources resources;
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    for (Use &operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand.get()); constant && !isa<ConstantData>(constant))
        if (Constant *own = resources.in(*constant); own != constant) {
          operand.set(own);
          changed = true;
        }
  return changed;
}

} // namespace assay::engine
