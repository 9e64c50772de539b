#include "core/engine/prepare/inline_assembly.hpp"
#include "core/engine/prepare/assembly_operands.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// `$3` or `${3:x}`.
std::optional<unsigned> operand_number(StringRef text) {
  if (!text.consume_front("$"))
    return std::nullopt;
  if (text.consume_front("{"))
    text = text.take_until([](char letter) { return letter == ':' || letter == '}'; });
  unsigned number = 0;
  if (text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// A statement of one instruction: its name and the values it reads, in the order of Intel's manuals (destination
/// first).
struct Operation {
  StringRef name;
  SmallVector<Value *, 4> values;
};

std::optional<Operation> parse(StringRef text, ArrayRef<AssemblyOperand> operands, bool destination_first) {
  Operation operation;
  operation.name = text.take_until([](char letter) { return isSpace(letter); });
  SmallVector<StringRef, 4> parts;
  text.drop_front(operation.name.size()).split(parts, ',');
  for (StringRef part : parts) {
    const std::optional<unsigned> number = operand_number(part.trim());
    if (!number || *number >= operands.size())
      return std::nullopt;
    const bool is_destination =
        destination_first ? operation.values.empty() : operation.values.size() + 1 == parts.size();
    if (operands[*number].is_output != is_destination && is_destination)
      return std::nullopt;
    operation.values.push_back(operands[*number].value);
  }
  if (!destination_first)
    std::reverse(operation.values.begin(), operation.values.end());
  return operation;
}

/// Removes the ending that says what the lanes are; false when `type` has others.
bool take_lanes(StringRef &name, const Type &type) {
  const Type *lane = type.getScalarType();
  if (name.consume_back("ps") || (!type.isVectorTy() && name.consume_back("ss")))
    return lane->isFloatTy();
  return (name.consume_back("pd") || (!type.isVectorTy() && name.consume_back("sd"))) && lane->isDoubleTy();
}

Value *emit_binary(IRBuilderBase &builder, StringRef name, Value *first, Value *second) {
  const auto opcode = StringSwitch<Instruction::BinaryOps>(name)
                          .Case("add", Instruction::FAdd)
                          .Case("sub", Instruction::FSub)
                          .Case("mul", Instruction::FMul)
                          .Case("div", Instruction::FDiv)
                          .Default(Instruction::BinaryOpsEnd);
  if (opcode != Instruction::BinaryOpsEnd)
    return builder.CreateBinOp(opcode, first, second);
  if (name == "max") // The second where they are equal or not ordered, as the processor does.
    return builder.CreateSelect(builder.CreateFCmpOGT(first, second), first, second);
  if (name == "min")
    return builder.CreateSelect(builder.CreateFCmpOLT(first, second), first, second);
  return nullptr;
}

/// The digits say which operands (destination 1, then 2 and 3) are multiplied and which one is added.
Value *emit_fused(IRBuilderBase &builder, StringRef name, ArrayRef<Value *> values) {
  const bool negates_product = name.consume_front("fn");
  if (!negates_product && !name.consume_front("f"))
    return nullptr;
  const bool subtracts = name.consume_front("msub");
  if (!subtracts && !name.consume_front("madd"))
    return nullptr;
  if (name != "132" && name != "213" && name != "231")
    return nullptr;
  const auto chosen = [&](unsigned position) { return values[name[position] - '1']; };
  Value *factor = negates_product ? builder.CreateFNeg(chosen(0)) : chosen(0);
  Value *addend = subtracts ? builder.CreateFNeg(chosen(2)) : chosen(2);
  return builder.CreateIntrinsic(Intrinsic::fma, {factor->getType()}, {factor, chosen(1), addend});
}

Value *emit(IRBuilderBase &builder, const Operation &operation, Type *type) {
  const auto is_read = [&](Value *value) { return value && value->getType() == type; };
  StringRef name = operation.name;
  const bool is_vex = name.consume_front("v");
  if (!type->isFPOrFPVectorTy() || !take_lanes(name, *type))
    return nullptr;
  ArrayRef<Value *> values = operation.values;
  const ArrayRef<Value *> sources = values.drop_front();
  if (!all_of(sources, is_read))
    return nullptr;
  if (name == "sqrt" && sources.size() == 1)
    return builder.CreateUnaryIntrinsic(Intrinsic::sqrt, sources[0]);
  if (is_vex && sources.size() == 2 && name.starts_with("f"))
    return is_read(values[0]) ? emit_fused(builder, name, values) : nullptr;
  if (is_vex && sources.size() == 2)
    return emit_binary(builder, name, sources[0], sources[1]);
  if (!is_vex && sources.size() == 1 && is_read(values[0]))
    return emit_binary(builder, name, values[0], sources[0]);
  return nullptr;
}

/// Nothing is executed: what comes out is what goes in.
Value *emit_nothing(IRBuilderBase &builder, ArrayRef<AssemblyOperand> operands, Type *type) {
  SmallVector<Value *, 4> results;
  for (const AssemblyOperand &operand : operands)
    if (operand.is_output)
      results.push_back(operand.value);
  if (is_contained(results, nullptr))
    return nullptr;
  if (results.size() == 1)
    return results[0]->getType() == type ? results[0] : nullptr;
  Value *result = PoisonValue::get(type);
  for (unsigned index = 0; index < results.size(); ++index) {
    if (results[index]->getType() != cast<StructType>(type)->getElementType(index))
      return nullptr;
    result = builder.CreateInsertValue(result, results[index], index);
  }
  return result;
}

void rewrite(CallInst &call, const InlineAsm &assembly) {
  const StringRef text = StringRef(assembly.getAsmString()).trim(" \t\n;");
  const bool is_empty = text.empty() || (text.starts_with("#") && !text.contains('\n'));
  const SmallVector<AssemblyOperand, 4> operands = assembly_operands(call, assembly);
  IRBuilder<> builder(&call);
  Value *result = nullptr;
  if (is_empty && call.getType()->isVoidTy()) {
    call.eraseFromParent();
    return;
  }
  if (is_empty)
    result = emit_nothing(builder, operands, call.getType());
  else if (auto operation = parse(text, operands, assembly.getDialect() == InlineAsm::AD_Intel))
    result = emit(builder, *operation, call.getType());
  if (!result)
    return;
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void rewrite_inline_assembly(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
        rewrite(*call, *assembly);
}

} // namespace assay::engine
