#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned counting_depth = 6;
constexpr unsigned float_bits = 32;
constexpr StringLiteral note_name = "assay.numbers.alone";

bool is_narrow_or_wide(const Type &type) {
  return type.isFPOrFPVectorTy() && !type.getScalarType()->isDoubleTy();
}

bool has_numbers_alone(const Function &function) {
  const FunctionType *type = function.getFunctionType();
  return type->getReturnType()->isFloatingPointTy() && type->getNumParams() > 0 && !type->isVarArg() &&
         all_of(type->params(), [](const Type *parameter) { return parameter->isFloatingPointTy(); });
}

/// An overload of the C++ library for one type of numbers, which does nothing but call the function of the C library.
bool is_overload(const Function &function) {
  if (!function.hasLinkOnceODRLinkage() || !function.getName().starts_with("_ZSt") || !has_numbers_alone(function) ||
      function.size() != 1)
    return false;
  return all_of(function.getEntryBlock(), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return isa<AllocaInst, LoadInst, StoreInst, ReturnInst>(instruction) ||
           (call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration());
  });
}

bool is_mathematical(const Function &function) {
  return function.isDeclaration() ? has_numbers_alone(function) && library_function(function) : is_overload(function);
}

bool computes(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
    return call->getCalledFunction() && is_mathematical(*call->getCalledFunction());
  return isa<UnaryOperator, BinaryOperator, FPExtInst, FPTruncInst>(instruction) ||
         (isa<IntrinsicInst>(instruction) && instruction.getType()->isFPOrFPVectorTy());
}

/// True for what constants and integers alone go into.
bool is_count(const Value &value, unsigned depth) {
  if (isa<Constant, UIToFPInst, SIToFPInst>(value))
    return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction && depth > 0 && computes(*instruction) && all_of(instruction->operands(), [&](const Use &operand) {
           return !operand->getType()->isFPOrFPVectorTy() || is_count(*operand, depth - 1);
         });
}

/// True for what only decides about integers.
bool becomes_integer(const Value &value, unsigned depth) {
  return all_of(value.users(), [&](const User *user) {
    if (isa<FPToUIInst, FPToSIInst, FCmpInst>(user))
      return true;
    const auto *instruction = dyn_cast<Instruction>(user);
    return instruction && depth > 0 && computes(*instruction) && becomes_integer(*instruction, depth - 1);
  });
}

bool is_number_of_integers(const Value &value) {
  return is_count(value, counting_depth) || becomes_integer(value, counting_depth);
}

bool is_wide(const Type &type) {
  return is_narrow_or_wide(type) ? type.getScalarSizeInBits() > float_bits : type.isFPOrFPVectorTy();
}

bool is_widened(const Value &value, unsigned depth);

/// A variable that holds such numbers and is no more than loaded and stored.
bool is_variable_of_widened(const Value &place, unsigned depth) {
  return isa<AllocaInst>(place) && all_of(place.users(), [&](const User *user) {
           const auto *store = dyn_cast<StoreInst>(user);
           return isa<LoadInst>(user) ||
                  (store && store->getPointerOperand() == &place && is_widened(*store->getValueOperand(), depth));
         });
}

/// A wider number that is computed from doubles.
bool is_widened(const Value &value, unsigned depth) {
  if (isa<Constant, UIToFPInst, SIToFPInst>(value))
    return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !is_wide(*value.getType()) || depth == 0)
    return false;
  if (const auto *load = dyn_cast<LoadInst>(instruction))
    return is_variable_of_widened(*load->getPointerOperand(), depth / 2);
  if (!computes(*instruction))
    return false;
  if (isa<FPExtInst>(instruction))
    return instruction->getOperand(0)->getType()->getScalarType()->isDoubleTy();
  return all_of(instruction->operands(), [&](const Use &operand) {
    return !operand->getType()->isFPOrFPVectorTy() || is_widened(*operand, depth - 1);
  });
}

/// True where nothing but doubles and integers become of it.
bool is_narrowed(const Value &value, unsigned depth) {
  return all_of(value.users(), [&](const User *user) {
    if (isa<FPToUIInst, FPToSIInst, FCmpInst>(user))
      return true;
    if (isa<FPTruncInst>(user))
      return user->getType()->getScalarType()->isDoubleTy();
    const auto *instruction = dyn_cast<Instruction>(user);
    return instruction && depth > 0 && computes(*instruction) && is_narrowed(*instruction, depth - 1);
  });
}

/// A wider number that only comes up between doubles, as in the library's generators of random numbers: no memory but
/// such variables holds it.
bool is_between_doubles(const Value &value) {
  return is_widened(value, counting_depth) && is_narrowed(value, counting_depth);
}

/// Functions of other files may come from outside and lead there; what the library defines in headers moves the factors
/// of its containers.
bool moves_within_file(const Instruction &instruction) {
  if (instruction.getFunction()->hasExternalLinkage())
    return false;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return isa<LoadInst, StoreInst, ReturnInst, PHINode, SelectInst>(instruction) ||
         (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration() && !computes(*call));
}

/// Constants of such types are the limits and factors of containers.
bool uses_others(const Instruction &instruction) {
  if (isa<FPToUIInst, FPToSIInst, FCmpInst>(instruction) || moves_within_file(instruction) ||
      is_overload(*instruction.getFunction()))
    return false;
  if (is_narrow_or_wide(*instruction.getType()))
    return !is_number_of_integers(instruction) && !is_between_doubles(instruction);
  if (isa<FPTruncInst>(instruction) && is_widened(*instruction.getOperand(0), counting_depth))
    return false;
  return any_of(instruction.operands(), [&](const Use &operand) {
    if (!is_narrow_or_wide(*operand->getType()) || is_count(*operand, counting_depth))
      return false;
    return !computes(instruction) || !becomes_integer(instruction, counting_depth);
  });
}

bool is_other_than_float_and_double(const Type &type) {
  return is_narrow_or_wide(type) && !type.getScalarType()->isFloatTy();
}

bool uses_other_than_float_and_double(const Instruction &instruction) {
  if (is_other_than_float_and_double(*instruction.getType()))
    return !is_between_doubles(instruction);
  return any_of(instruction.operands(), [](const Use &operand) {
    return is_other_than_float_and_double(*operand->getType()) && !is_widened(*operand, counting_depth);
  });
}

/// A float that is passed on to another file, as a variadic argument.
bool is_only_passed(const Value &number) {
  return isa<FPExtInst>(number) && all_of(number.users(), [](const User *user) {
           const auto *call = dyn_cast<CallBase>(user);
           return call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration();
         });
}

bool uses_wide(const Instruction &instruction) {
  if (is_wide(*instruction.getType()))
    return !is_only_passed(instruction);
  if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
    return is_wide(*variable->getAllocatedType());
  const auto *call = dyn_cast<CallBase>(&instruction);
  const bool passes_on = call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration();
  return !passes_on && any_of(instruction.operands(), [](const Use &operand) { return is_wide(*operand->getType()); });
}

/// True for the library's own code that numbers of the program only pass to be printed or read: where whole programs
/// are linked as bitcode, it has bodies, for every type of numbers.
bool is_inactive_library_code(const Function &function) {
  const LibraryFunction *known = is_mangled(function.getName()) ? library_function(function) : nullptr;
  return known && known->is_inactive();
}

/// True for code that says nothing of what kinds of numbers the program has.
bool tells_no_kinds_of_numbers(const Function &function) {
  return is_inactive_library_code(function) || function.hasFnAttribute(gathers_numbers);
}

bool has_no_wide_numbers(const Module &module) {
  return none_of(module, [](const Function &function) {
    return !function.isDeclaration() && !tells_no_kinds_of_numbers(function) &&
           (any_of(function.args(), [](const Argument &argument) { return is_wide(*argument.getType()); }) ||
            any_of(instructions(function), uses_wide));
  });
}

std::optional<bool> noted(const Module &module, unsigned index) {
  const NamedMDNode *note = module.getNamedMetadata(note_name);
  return note ? std::optional(mdconst::extract<ConstantInt>(note->getOperand(index)->getOperand(0))->isOne())
              : std::nullopt;
}

} // namespace

void note_uses_only_double(Module &module) {
  forget_uses_only_double(module);
  const bool answers[] = {uses_only_double(module), uses_only_float(module), uses_only_float_and_double(module)};
  LLVMContext &context = module.getContext();
  NamedMDNode *note = module.getOrInsertNamedMetadata(note_name);
  for (const bool answer : answers)
    note->addOperand(MDNode::get(context, ConstantAsMetadata::get(ConstantInt::getBool(context, answer))));
}

void forget_uses_only_double(Module &module) {
  if (NamedMDNode *note = module.getNamedMetadata(note_name))
    note->eraseFromParent();
}

bool uses_only_double(const Module &module) {
  if (const std::optional<bool> known = noted(module, 0))
    return *known;
  return none_of(module, [](const Function &function) {
    return !tells_no_kinds_of_numbers(function) && any_of(instructions(function), uses_others);
  });
}

bool uses_only_double(const CallTree &calls) {
  return none_of(calls.functions(),
                 [](const Function *function) { return any_of(instructions(*function), uses_others); });
}

bool uses_only_float(const Module &module) {
  const std::optional<bool> known = noted(module, 1);
  return known ? *known : has_no_wide_numbers(module);
}

bool uses_only_float_and_double(const Module &module) {
  if (const std::optional<bool> known = noted(module, 2))
    return *known;
  return none_of(module, [](const Function &function) {
    return !tells_no_kinds_of_numbers(function) && any_of(instructions(function), uses_other_than_float_and_double);
  });
}

} // namespace assay::engine
