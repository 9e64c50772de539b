#include "core/engine/tidy/slice.hpp"

using namespace llvm;

namespace assay::engine {

Slice closed_slice(Slice slice, function_ref<bool(const Instruction &)> is_inside) {
  for (std::size_t next = 0; next < slice.size(); ++next) // it grows
    for (Value *operand : slice[next]->operands())
      if (auto *instruction = dyn_cast<Instruction>(operand); instruction && is_inside(*instruction))
        slice.insert(instruction);
  return slice;
}

} // namespace assay::engine
