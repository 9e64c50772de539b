#include "core/engine/prepare/own_resources.hpp"
#include "core/engine/support/memory_resources.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace assay::engine {

bool use_own_resources(Function &function) {
  ValueToValueMapTy map;
  for (GlobalValue &value : function.getParent()->global_values())
    if (value.getName().contains("NSt3pmr"))
      if (GlobalValue *own = own_resource_for(value))
        map[&value] = own;
  if (map.empty())
    return false;
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    for (Use &operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand.get()))
        if (Constant *own = MapValue(constant, map, RF_NoModuleLevelChanges); own != constant) {
          operand.set(own);
          changed = true;
        }
  return changed;
}

} // namespace assay::engine
