#include "core/engine/prepare/assembly_operands.hpp"

using namespace llvm;

namespace assay::engine {

SmallVector<AssemblyOperand, 4> assembly_operands(const CallBase &call, const InlineAsm &assembly) {
  const auto constraints = assembly.ParseConstraints();
  SmallVector<AssemblyOperand, 4> operands;
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    if (constraint.Type == InlineAsm::isClobber || constraint.Type == InlineAsm::isLabel)
      continue;
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect)
      operands.push_back({true, nullptr});
    else
      operands.push_back({false, call.getArgOperand(argument++)});
  }
  for (unsigned index = 0; index < operands.size(); ++index)
    if (operands[index].is_output && constraints[index].hasMatchingInput())
      operands[index].value = operands[constraints[index].MatchingInput].value;
  return operands;
}

} // namespace assay::engine
