#include "core/engine/tidy/register_limit.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral limit_attribute = "nvvm.maxnreg";
constexpr StringLiteral most_registers = "128";
constexpr unsigned least_instructions = 4000;

bool says_how_it_is_launched(const Function &kernel) {
  return any_of(ArrayRef<StringRef>{limit_attribute, "nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm"},
                [&](StringRef attribute) { return kernel.hasFnAttribute(attribute); });
}

bool is_of_derivative(const Instruction &instruction) {
  return place_of_sums(instruction) || instruction.hasMetadata(adjoint_clear);
}

bool is_large_derivative(Function &kernel) {
  return kernel.getInstructionCount() >= least_instructions && any_of(instructions(kernel), is_of_derivative);
}

} // namespace

PreservedAnalyses RegisterLimitPass::run(Function &function, FunctionAnalysisManager & /*analyses*/) {
  if (function.getCallingConv() == CallingConv::PTX_Kernel && !says_how_it_is_launched(function) &&
      is_large_derivative(function))
    function.addFnAttr(limit_attribute, most_registers);
  return PreservedAnalyses::all();
}

} // namespace assay::engine
