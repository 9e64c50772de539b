#include "core/jit/source_interface.hpp"

#include "core/engine/support/device_target.hpp"
#include "core/jit/callables.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace assay::jit {

namespace {

/// How many arguments a struct is: as clang passes it on x86-64 and to kernels of CUDA, one in memory or one for each
/// of up to two words.
std::optional<unsigned> arguments_of(const llvm::Function &function, unsigned first, std::uint64_t bytes) {
  if (bytes == 0 && !is_kernel(function))
    return 0;
  if (first >= function.arg_size())
    return std::nullopt;
  if (function.hasParamAttribute(first, llvm::Attribute::ByVal))
    return 1;
  if (is_kernel(function) || bytes > 2 * word_size)
    return std::nullopt;
  const llvm::DataLayout &layout = function.getDataLayout();
  if (layout.getTypeStoreSize(function.getArg(first)->getType()) > word_size)
    return std::nullopt;
  return bytes > word_size ? 2 : 1;
}

std::string name_of(const llvm::Function &function, unsigned parameter) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (const llvm::DILocalVariable *variable = record.getVariable();
          variable->getArg() == parameter + 1 && variable->getScope()->getSubprogram() == function.getSubprogram())
        return variable->getName().str();
  return "argument" + llvm::utostr(parameter + 1);
}

/// `double *` for `double **`; null for other types.
const llvm::DIType *row_of(const llvm::DIType *type) {
  const llvm::DIType *row = target_of(type);
  return row && is_pointer_to_numbers(*row) ? row : nullptr;
}

/// Of a pointer to one struct of C. Where all members are numbers of one type, it may lead to many, and is a pointer to
/// their numbers.
void take_pointer(const llvm::Function &function, Parameter &parameter) {
  const llvm::DIType *target = target_of(parameter.type);
  if (!target || is_kernel(function) || !is_of_c(function) || !is_structure(target) || uniform_numbers(*target))
    return;
  parameter.members = members_of_struct(*target, parameter.name);
  parameter.structure = target;
  parameter.passed = is_pointer_to_const(*parameter.type) ? Passed::by_pointer_to_const : Passed::by_pointer;
}

/// False where the struct cannot be taken apart.
bool take_structure(const llvm::Function &function, Parameter &parameter) {
  if (is_kernel(function) || is_of_c(function))
    parameter.members = members_of_struct(*parameter.type, parameter.name);
  parameter.structure = parameter.type;
  const std::optional<unsigned> count =
      parameter.members ? arguments_of(function, parameter.first, size_of_type(*parameter.type)) : std::nullopt;
  parameter.count = count.value_or(0);
  return count.has_value();
}

} // namespace

bool is_kernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

std::optional<SourceInterface> interface_of(const llvm::Function &function) {
  SourceInterface interface;
  const llvm::DITypeRefArray types = function.getSubprogram()->getType()->getTypeArray();
  if (types.size() == 0)
    return std::nullopt;
  interface.result = types[0];
  if (is_structure(interface.result)) {
    interface.numbers = is_of_c(function) ? uniform_numbers(*interface.result) : std::nullopt;
    if (!interface.numbers)
      return std::nullopt;
  }
  bool is_changed = interface.numbers.has_value();
  unsigned next = function.hasStructRetAttr() ? 1 : 0;
  for (unsigned index = 1; index < types.size(); ++index) {
    Parameter parameter{types[index], next};
    parameter.name = name_of(function, index - 1);
    parameter.row = row_of(types[index]);
    parameter.is_callable =
        (is_kernel(function) || is_of_c(function)) && types[index] && is_pointer_to_function(*types[index]);
    if (!is_structure(types[index]))
      take_pointer(function, parameter);
    else if (!take_structure(function, parameter))
      return std::nullopt;
    is_changed |= parameter.is_changed();
    next += parameter.count;
    interface.parameters.push_back(std::move(parameter));
  }
  return is_changed && next == function.arg_size() ? std::optional(std::move(interface)) : std::nullopt;
}

} // namespace assay::jit
