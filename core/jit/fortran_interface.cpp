// Types are those of the variables where the code still mentions them: the type of a procedure has `integer` for a
// character.

#include "core/jit/fortran_interface.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/signature.hpp"
#include "core/jit/struct_members.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include <fmt/format.h>
#include <map>

namespace assay::jit {

namespace {

namespace dwarf = llvm::dwarf;
using Kind = FortranParameter::Kind;

using Variables = std::map<unsigned, const llvm::DILocalVariable *>;

/// The variables of the function, by the argument of the compiled function that each is.
///
/// A result in memory is the first argument, which the source does not count.
Variables variables_of_parameters(const llvm::Function &function) {
  Variables counted, direct;
  bool has_result_first = false;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      const llvm::DILocalVariable *variable = record.getVariable();
      if (variable->getScope()->getSubprogram() != function.getSubprogram() || variable->isArtificial())
        continue;
      if (variable->getArg() != 0)
        counted.try_emplace(variable->getArg() - 1, variable);
      const bool is_whole = record.getNumVariableLocationOps() == 1 && record.getExpression()->getNumElements() == 0;
      const auto *argument = is_whole ? llvm::dyn_cast<llvm::Argument>(record.getVariableLocationOp(0)) : nullptr;
      if (!argument || !argument->getType()->isPointerTy())
        continue;
      direct.try_emplace(argument->getArgNo(), variable);
      has_result_first |= variable->getArg() == argument->getArgNo();
    }
  Variables variables;
  for (const auto &[index, variable] : counted)
    variables[index + (has_result_first ? 1 : 0)] = variable;
  for (const auto &[index, variable] : direct)
    variables[index] = variable;
  return variables;
}

const llvm::DICompositeType *array_in(const llvm::DIType *type) {
  const auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  return array && array->getTag() == dwarf::DW_TAG_array_type ? array : nullptr;
}

/// The elements of an array of constant extents; 0 for others.
std::uint64_t elements_of(const llvm::DICompositeType &array) {
  std::uint64_t elements = 1;
  for (const llvm::DINode *extent : array.getElements()) {
    const auto *range = llvm::dyn_cast<llvm::DISubrange>(extent);
    const auto count = range ? range->getCount() : llvm::DISubrange::BoundType();
    const auto *constant = count ? llvm::dyn_cast<llvm::ConstantInt *>(count) : nullptr;
    elements *= constant && !constant->isNegative() ? constant->getZExtValue() : 0;
  }
  return elements;
}

/// The only type of the numbers in a derived type; null where there are several, or anything else.
const llvm::DIBasicType *only_number_in(const llvm::DIType *source) {
  const llvm::DIType *type = engine::without_qualifiers(source);
  if (const llvm::DICompositeType *array = array_in(type))
    return array->getRawDataLocation() ? nullptr : only_number_in(array->getBaseType());
  if (const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type))
    return basic->getEncoding() == dwarf::DW_ATE_float ? basic : nullptr;
  const auto *structure = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (!structure || structure->getTag() != dwarf::DW_TAG_structure_type)
    return nullptr;
  const llvm::DIBasicType *only = nullptr;
  for (const llvm::DIDerivedType *member : members_of(*structure)) {
    const llvm::DIBasicType *number = only_number_in(member->getBaseType());
    if (!number || (only && only->getSizeInBits() != number->getSizeInBits()))
      return nullptr;
    only = number;
  }
  return only;
}

class InterfaceReader {
public:
  explicit InterfaceReader(const llvm::Function &function)
      : function_(function), variables_(variables_of_parameters(function)) {}

  std::optional<FortranInterface> read() {
    const llvm::DITypeRefArray types = function_.getSubprogram()->getType()->getTypeArray();
    if (types.size() <= 1 && !function_.arg_empty())
      return std::nullopt; // Line tables only.
    const unsigned count = types.size() == 0 ? 0 : types.size() - 1;
    FortranInterface interface;
    unsigned texts = 0;
    for (unsigned index = 0; index < count; ++index) {
      interface.parameters.push_back(parameter(index, types[index + 1]));
      texts += interface.parameters.back().kind == Kind::text ? 1 : 0;
    }
    if (function_.arg_size() != count + texts)
      throw BadRequest(fmt::format("the parameters of {} are not those of its source: it was optimised; check its "
                                   "source, or bitcode of flang -O0 -g",
                                   name()));
    read_result(interface, types.size() == 0 ? nullptr : types[0]);
    return interface;
  }

private:
  std::string name() const { return qualified_name(function_.getName().str()); }

  [[noreturn]] void refuse(const FortranParameter &parameter, unsigned index, const std::string &what,
                           const std::string &instead) const {
    throw BadRequest(fmt::format("unsupported type: parameter {} ('{}') of {} is {}; write a procedure that takes {} "
                                 "and calls {}, and check that",
                                 index + 1, parameter.name, name(), what, instead, name()));
  }

  FortranParameter parameter(unsigned index, const llvm::DIType *type) const {
    FortranParameter parameter;
    parameter.type = type;
    if (const auto found = variables_.find(index); found != variables_.end()) {
      parameter.type = found->second->getType();
      parameter.name = found->second->getName().str();
    }
    if (parameter.name.empty())
      parameter.name = index == 0 && array_in(type) ? "result" : fmt::format("argument{}", index + 1);
    if (index < function_.arg_size() && function_.getArg(index)->hasNestAttr())
      throw BadRequest(
          fmt::format("{} is an internal procedure that uses variables of its host; check the host", name()));
    parameter.type = engine::without_qualifiers(parameter.type);
    if (index < function_.arg_size() && !function_.getArg(index)->getType()->isPointerTy())
      read_value(parameter, index);
    else
      read_reference(parameter, index);
    return parameter;
  }

  void read_value(FortranParameter &parameter, unsigned index) const {
    const llvm::Type *type = function_.getArg(index)->getType();
    if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy())
      refuse(parameter, index, "a value that is no number", "it by reference");
  }

  void read_reference(FortranParameter &parameter, unsigned index) const {
    parameter.kind = Kind::numbers;
    if (llvm::isa_and_nonnull<llvm::DIStringType>(parameter.type))
      parameter.kind = Kind::text;
    else if (const llvm::DICompositeType *array = array_in(parameter.type))
      read_array(parameter, index, *array);
    else if (const auto *pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(parameter.type))
      read_pointer(parameter, index, *pointer);
    else
      read_element(parameter, index, parameter.type);
  }

  void read_array(FortranParameter &parameter, unsigned index, const llvm::DICompositeType &array) const {
    parameter.rank = array.getElements().size();
    read_element(parameter, index, array.getBaseType());
    parameter.elements = elements_of(array);
    if (!array.getRawDataLocation())
      return;
    if (array.getRawAllocated())
      refuse(parameter, index, "an allocatable array", "its numbers as an array of explicit shape, allocates");
    if (array.getRawRank())
      refuse(parameter, index, "an array of assumed rank", "an array of some rank");
    parameter.kind = Kind::section;
    parameter.is_pointer = array.getRawAssociated() != nullptr;
    const bool has_plain_elements = parameter.parts == 1 || is_complex(array.getBaseType());
    if (!has_plain_elements || parameter.of->getEncoding() == dwarf::DW_ATE_boolean)
      refuse(parameter, index, "an array of assumed shape whose elements are no numbers", "one of explicit shape");
  }

  static bool is_complex(const llvm::DIType *type) {
    const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(engine::without_qualifiers(type));
    return basic && basic->getEncoding() == dwarf::DW_ATE_complex_float;
  }

  void read_pointer(FortranParameter &parameter, unsigned index, const llvm::DIDerivedType &pointer) const {
    const llvm::DIType *target = engine::without_qualifiers(pointer.getBaseType());
    if (llvm::isa_and_nonnull<llvm::DISubroutineType>(target))
      parameter.kind = Kind::procedure;
    else if (llvm::isa_and_nonnull<llvm::DICompositeType>(target))
      refuse(parameter, index, "polymorphic", "the numbers of its type");
    else
      refuse(parameter, index, "a pointer or an allocatable", "the numbers themselves");
  }

  void read_element(FortranParameter &parameter, unsigned index, const llvm::DIType *source) const {
    const llvm::DIType *type = engine::without_qualifiers(source);
    if (const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type))
      return read_number(parameter, index, *basic);
    if (llvm::isa_and_nonnull<llvm::DIStringType>(type))
      refuse(parameter, index, "an array of characters", "numbers");
    parameter.of = only_number_in(type);
    if (!parameter.of || !type)
      refuse(parameter, index, "of a derived type that does not only have numbers of one kind", "its components");
    parameter.parts = type->getSizeInBits() / parameter.of->getSizeInBits();
  }

  void read_number(FortranParameter &parameter, unsigned index, const llvm::DIBasicType &basic) const {
    parameter.of = &basic;
    const std::uint64_t bits = basic.getSizeInBits();
    const bool is_scalar = parameter.rank == 0;
    switch (basic.getEncoding()) {
    case dwarf::DW_ATE_float:
      if (bits != 32 && bits != 64)
        refuse(parameter, index, basic.getName().str(), "real(8)");
      return;
    case dwarf::DW_ATE_complex_float:
      if (bits != 64 && bits != 128)
        refuse(parameter, index, basic.getName().str(), "complex(8)");
      parameter.parts = 2;
      parameter.of =
          llvm::DIBasicType::get(basic.getContext(), dwarf::DW_TAG_base_type, bits == 64 ? "real" : "real(kind=8)",
                                 bits / 2, 0, dwarf::DW_ATE_float, llvm::DINode::FlagZero);
      return;
    case dwarf::DW_ATE_boolean:
      if (is_scalar)
        parameter.kind = Kind::logical;
      return;
    default:
      if (bits < 8 || bits > 64)
        refuse(parameter, index, basic.getName().str(), "integer(8)");
      if (is_scalar)
        parameter.kind = Kind::integer;
    }
  }

  void read_result(FortranInterface &interface, const llvm::DIType *type) const {
    const llvm::Type *result = function_.getReturnType();
    interface.has_complex_result = is_complex(type);
    if (!result->isVoidTy())
      interface.result = type;
    if (!result->isVoidTy() && !interface.has_complex_result && !result->isFloatingPointTy() && !result->isIntegerTy())
      throw BadRequest(fmt::format("unsupported type: the result of {} is no number; write a function that gives one "
                                   "and calls it, and check that",
                                   name()));
  }

  const llvm::Function &function_;
  Variables variables_;
};

} // namespace

bool is_of_fortran(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getUnit() || function.getName().starts_with(members_prefix))
    return false; // Or it takes plain numbers already, as in a file that --reproducer wrote.
  const llvm::DISourceLanguageName name = subprogram->getUnit()->getSourceLanguage();
  return dwarf::isFortran(static_cast<dwarf::SourceLanguage>(name.getUnversionedName()));
}

std::optional<FortranInterface> fortran_interface(const llvm::Function &function) {
  if (function.isDeclaration() || !function.getSubprogram()->getType())
    return std::nullopt;
  return InterfaceReader(function).read();
}

} // namespace assay::jit
