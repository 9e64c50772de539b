// The IR type decides what can be called; debug information adds names, tells `double *` from `float *`, and shows
// structs that the calling convention has taken apart.

#include "core/jit/read_signature.hpp"
#include "core/jit/source_parameters.hpp"

#include "core/jit/expected_alignment.hpp"

#include "core/engine/explain/source_variables.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/struct_members.hpp"
#include "core/jit/type_text.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace assay::jit {

namespace {

using TypeKind = ParameterType::Kind;
namespace dwarf = llvm::dwarf;
using engine::without_qualifiers;

std::string where_it_works(const FunctionSignature &function) {
  return fmt::format("write a function of double, float, integers and pointers to them that calls {}, and check that",
                     function.name);
}

[[noreturn]] void reject(const FunctionSignature &function, const std::string &what, const std::string &type) {
  throw BadRequest(
      fmt::format("unsupported type: {} of {} is {}; {}", what, function.name, type, where_it_works(function)));
}

bool is_pointer(const llvm::DIType *type) {
  const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
  return derived &&
         (derived->getTag() == dwarf::DW_TAG_pointer_type || derived->getTag() == dwarf::DW_TAG_reference_type ||
          derived->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

/// What an enumeration is represented by; any other type as it is.
const llvm::DIType *represented_by(const llvm::DIType *type) {
  const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_qualifiers(type));
  return composite && composite->getTag() == dwarf::DW_TAG_enumeration_type && composite->getBaseType()
             ? composite->getBaseType()
             : type;
}

/// `types`: those of 8, 16, 32 and 64 bits.
std::optional<Scalar> integer_of_size(std::uint64_t bits, const std::array<Scalar, 4> &types) {
  for (const Scalar type : types)
    if (8 * size_of(type) == bits)
      return type;
  return std::nullopt;
}

std::optional<Scalar> real_of_size(const llvm::DIBasicType &type) {
  switch (type.getSizeInBits()) {
  case 64:
    return Scalar::real64;
  case 32:
    return Scalar::real32;
  case 16:
    return is_brain_float(type) ? Scalar::brain16 : Scalar::real16;
  default:
    return std::nullopt;
  }
}

std::optional<Scalar> scalar_of(const llvm::DIType *source) {
  const llvm::DIType *type = represented_by(source);
  if (const llvm::DIType *half = half_in(source))
    return is_brain_float(*half) ? Scalar::brain16 : Scalar::real16;
  const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(without_qualifiers(type));
  if (!basic)
    return std::nullopt;
  if (basic->getEncoding() == dwarf::DW_ATE_float)
    return real_of_size(*basic);
  switch (basic->getEncoding()) {
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_signed_char:
    return integer_of_size(basic->getSizeInBits(),
                           {Scalar::integer8, Scalar::integer16, Scalar::integer32, Scalar::integer64});
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_unsigned_char:
    return integer_of_size(basic->getSizeInBits(),
                           {Scalar::unsigned8, Scalar::unsigned16, Scalar::unsigned32, Scalar::unsigned64});
  case dwarf::DW_ATE_boolean:
    return basic->getSizeInBits() == 8 ? std::optional(Scalar::boolean) : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool is_void(const llvm::DIType *type) {
  return without_qualifiers(type) == nullptr;
}

/// The element of a pointer; arrays (`double a[][4]`, `double (*)[4]`) down to theirs.
const llvm::DIType *pointee_of(const llvm::DIType *pointer) {
  const llvm::DIType *base = without_qualifiers(llvm::cast<llvm::DIDerivedType>(pointer)->getBaseType());
  while (const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(base)) {
    if (composite->getTag() != dwarf::DW_TAG_array_type)
      break;
    base = without_qualifiers(composite->getBaseType());
  }
  return base;
}

/// How many numbers the array has that `pointer` leads to; 0 where it leads to no array.
std::size_t numbers_in_array(const llvm::DIType *pointer, Scalar number) {
  const llvm::DIType *target = without_qualifiers(llvm::cast<llvm::DIDerivedType>(pointer)->getBaseType());
  const bool is_array = target && target->getTag() == dwarf::DW_TAG_array_type;
  return is_array ? target->getSizeInBits() / 8 / size_of(number) : 0;
}

std::optional<ParameterType> from_ir(llvm::Type *type) {
  ParameterType result;
  if (type->isDoubleTy())
    result.kind = TypeKind::real64;
  else if (type->isFloatTy())
    result.kind = TypeKind::real32;
  else if (type->isHalfTy())
    result.kind = TypeKind::real16;
  else if (type->isBFloatTy())
    result.kind = TypeKind::brain16;
  else if (type->isIntegerTy() && llvm::is_contained({1U, 8U, 16U, 32U, 64U}, type->getIntegerBitWidth()))
    result.kind = TypeKind::integer, result.bits = type->getIntegerBitWidth();
  else if (type->isPointerTy())
    result.kind = TypeKind::pointer;
  else
    return std::nullopt;
  return result;
}

/// The types of result and parameters in the source; empty without debug information.
std::vector<const llvm::DIType *> source_types(const llvm::Function &function) {
  std::vector<const llvm::DIType *> types;
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType())
    return types;
  for (const llvm::DIType *type : subprogram->getType()->getTypeArray())
    types.push_back(type);
  if (types.size() <= 1 && !function.arg_empty())
    types.clear(); // Line tables only: the type says nothing.
  return types;
}

std::vector<std::string> source_parameter_names(const llvm::Function &function) {
  std::vector<std::string> names(function.arg_size());
  for (const llvm::Argument &argument : function.args())
    names[argument.getArgNo()] = argument.getName().str();
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      const llvm::DILocalVariable *variable = record.getVariable();
      if (variable->getArg() != 0 && variable->getArg() <= names.size() && !variable->getName().empty() &&
          variable->getScope()->getSubprogram() == function.getSubprogram())
        names[variable->getArg() - 1] = variable->getName().str();
    }
  for (std::size_t index = 0; index < names.size(); ++index)
    if (names[index].empty() || std::isdigit(static_cast<unsigned char>(names[index][0])))
      names[index] = fmt::format("argument{}", index + 1);
  return names;
}

/// How pointers to structs are taken.
enum class Structs { refused, as_numbers, as_one_number };

Structs structs_of(const llvm::Function &function) {
  if (engine::is_device_code(*function.getParent()))
    return Structs::as_numbers;
  return is_of_c(function) ? Structs::as_one_number : Structs::refused; // C++ has adapters.
}

/// The kinds of numbers in a struct or array; nothing where it holds anything else.
std::optional<std::set<Scalar>> numbers_in(const llvm::DIType *source) {
  if (const std::optional<Scalar> scalar = scalar_of(source))
    return std::set{*scalar};
  const auto *type = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_qualifiers(source));
  if (!type || type->getTag() == dwarf::DW_TAG_union_type)
    return std::nullopt;
  if (type->getTag() == dwarf::DW_TAG_array_type)
    return numbers_in(type->getBaseType());
  std::set<Scalar> all;
  for (const llvm::DIDerivedType *member : members_of(*type)) {
    std::optional<std::set<Scalar>> numbers = numbers_in(member->getBaseType());
    if (!numbers)
      return std::nullopt;
    all.merge(*numbers);
  }
  return all;
}

/// Buffers of C and of kernels are rows of `float2` and other structs as well, which `float[32x2]` describes.
bool is_struct_of_numbers(const llvm::DIType *element, ParameterType &parameter, Structs structs) {
  const std::optional<std::set<Scalar>> numbers = numbers_in(element);
  if (!numbers || numbers->empty() || (structs == Structs::as_one_number && numbers->size() > 1))
    return false;
  if (numbers->size() == 1)
    parameter.pointee = *numbers->begin();
  return true;
}

void refine_pointer(const FunctionSignature &signature, ParameterType &parameter, const std::string &what,
                    const llvm::DIType *source, Pointees pointees, Structs structs) {
  const llvm::DIType *type = without_qualifiers(source);
  if (!is_pointer(type))
    reject(signature, what, text_of(source) + " by value");
  const llvm::DIType *element = pointee_of(type);
  parameter.pointee = scalar_of(element);
  const bool is_struct =
      structs != Structs::refused && !parameter.pointee && is_struct_of_numbers(element, parameter, structs);
  if (parameter.pointee)
    parameter.numbers = numbers_in_array(type, *parameter.pointee);
  if (is_struct)
    return;
  if (!parameter.pointee && !is_void(element) && pointees == Pointees::numbers)
    reject(signature, what, text_of(source));
}

/// A struct by value takes fewer, more or other IR parameters than the source has.
void reject_taken_apart(const FunctionSignature &signature, const std::vector<const llvm::DIType *> &types) {
  for (std::size_t index = 1; index < types.size(); ++index)
    if (llvm::isa_and_nonnull<llvm::DICompositeType>(without_qualifiers(represented_by(types[index]))) &&
        !half_in(types[index]))
      reject(signature, fmt::format("parameter {}", index), text_of(types[index]) + " by value");
  if (!types.empty() && llvm::isa_and_nonnull<llvm::DICompositeType>(without_qualifiers(types[0])))
    reject(signature, "the result", text_of(types[0]) + " by value");
}

} // namespace

FunctionSignature read_signature(const llvm::Function &function, Pointees pointees, std::string_view linkage_name) {
  FunctionSignature signature;
  signature.expects_alignment = expects_alignment(function);
  signature.linkage_name = function.getName().str();
  signature.name = qualified_name(linkage_name.empty() ? signature.linkage_name : linkage_name);

  const std::vector<const llvm::DIType *> types = source_types(function);
  reject_taken_apart(signature, types);
  if (function.isVarArg())
    reject(signature, "the parameter list", "variadic");
  if (function.hasStructRetAttr())
    reject(signature, "the result", "a struct by value");
  const bool have_types = types.size() == function.arg_size() + 1;
  const Structs structs = structs_of(function);

  const std::vector<std::string> names = source_parameter_names(function);
  for (const llvm::Argument &argument : function.args()) {
    const std::size_t index = argument.getArgNo();
    const llvm::DIType *source = have_types ? types[index + 1] : nullptr;
    const std::string what = fmt::format("parameter {} ('{}')", index + 1, names[index]);
    std::optional<ParameterType> parameter = from_ir(argument.getType());
    if (!parameter)
      reject(signature, what, source ? text_of(source) : text_of(argument.getType()));
    if (argument.hasByValAttr() || argument.hasStructRetAttr())
      reject(signature, what, source ? text_of(source) + " by value" : "a struct by value");
    parameter->name = names[index];
    parameter->is_restrict = argument.hasNoAliasAttr();
    if (source) {
      parameter->source_type = text_of(source);
      if (parameter->kind == TypeKind::pointer)
        refine_pointer(signature, *parameter, what, source, pointees, structs);
    }
    signature.parameters.push_back(*parameter);
  }

  if (!function.getReturnType()->isVoidTy()) {
    signature.result = from_ir(function.getReturnType());
    if (!signature.result || signature.result->kind == TypeKind::pointer)
      reject(signature, "the result", have_types ? text_of(types[0]) : text_of(function.getReturnType()));
    signature.result->name = "result";
    if (have_types)
      signature.result->source_type = text_of(types[0]);
  }
  return signature;
}

/// A number, a reference to an integer, or a pointer to numbers.
static bool is_plain(const llvm::DIType *source) {
  const llvm::DIType *type = without_qualifiers(represented_by(source));
  if (llvm::isa_and_nonnull<llvm::DIBasicType>(type))
    return true;
  if (!is_pointer(type))
    return false;
  const auto *target = llvm::dyn_cast_or_null<llvm::DIBasicType>(pointee_of(type));
  return target && (type->getTag() == dwarf::DW_TAG_pointer_type || target->getEncoding() != dwarf::DW_ATE_float);
}

/// A function, a reference or pointer to one, or an object of the standard library that holds one.
static bool is_callable(const llvm::DIType *source) {
  const llvm::DIType *type = without_qualifiers(source);
  if (is_pointer(type))
    type = without_qualifiers(pointee_of(type));
  const bool is_class = llvm::isa_and_nonnull<llvm::DICompositeType>(type);
  return llvm::isa_and_nonnull<llvm::DISubroutineType>(type) ||
         (is_class && (type->getName().starts_with("function<") || type->getName().starts_with("move_only_function<")));
}

/// In the object itself, not behind its pointers.
static bool has_halves(const llvm::DIType *source) {
  const llvm::DIType *type = without_qualifiers(source);
  if (!type || half_in(type))
    return type != nullptr;
  const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (!composite)
    return false;
  if (composite->getTag() == dwarf::DW_TAG_array_type)
    return has_halves(composite->getBaseType());
  return composite->getTag() != dwarf::DW_TAG_enumeration_type &&
         llvm::any_of(members_of(*composite),
                      [](const llvm::DIDerivedType *member) { return has_halves(member->getBaseType()); });
}

SourceParameters source_parameters(const llvm::Function &function) {
  SourceParameters source;
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType())
    return source;
  bool is_result = true;
  for (const llvm::DIType *type : subprogram->getType()->getTypeArray()) {
    if (!std::exchange(is_result, false)) {
      source.is_member = source.is_member || (source.types.empty() && type && type->isArtificial());
      source.types.push_back(text_of(type));
      source.is_object.push_back(!is_plain(type));
      source.is_callable.push_back(is_callable(type));
      source.has_halves.push_back(
          has_halves(is_pointer(without_qualifiers(type)) ? pointee_of(without_qualifiers(type)) : type));
    }
  }
  source.names.resize(source.types.size());
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      const llvm::DILocalVariable *variable = record.getVariable();
      if (variable->getArg() != 0 && variable->getArg() <= source.names.size() &&
          variable->getScope()->getSubprogram() == subprogram)
        source.names[variable->getArg() - 1] = variable->getName() == "this" ? "self" : variable->getName().str();
    }
  for (std::size_t index = 0; index < source.names.size(); ++index)
    if (source.names[index].empty())
      source.names[index] = fmt::format("argument{}", index + 1);
  if (source.is_member)
    source.is_object.front() = true;
  return source;
}

} // namespace assay::jit
