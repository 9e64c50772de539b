#include "core/engine/plan/noted_extrema.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {

NotedExtrema plan_noted_extrema(const Function &prepared, const ActivityAnalysis &activity) {
  NotedExtrema noted;
  if (!is_device_code(*prepared.getParent()))
    return noted;
  for (const Instruction &instruction : instructions(prepared)) {
    const std::optional<Extremum> kind = extremum_of_numbers(instruction);
    if (kind && !instruction.getType()->isVectorTy() && activity.carries_derivative(instruction))
      noted.kinds[&instruction] = *kind;
  }
  return noted;
}

void NotedExtrema::print(raw_ostream &out) const {
  for (const auto &[instruction, kind] : kinds)
    out << (kind == Extremum::maximum ? "maximum" : "minimum")
        << ", whose adjoint reads which operand was taken: " << text_of(*instruction) << '\n';
}

} // namespace assay::engine
