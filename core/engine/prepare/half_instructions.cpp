#include "core/engine/prepare/half_instructions.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// One instruction `name.part.part $0,$1,...;`, with nothing around it but braces.
struct PtxInstruction {
  SmallVector<StringRef, 4> parts;
  unsigned operands = 0; ///< Besides the result.
};

std::optional<PtxInstruction> parse(StringRef text) {
  text = text.trim(" \t\n{}");
  if (!text.consume_back(";") || text.contains(';'))
    return std::nullopt;
  const auto [name, operands] = text.split(' ');
  SmallVector<StringRef, 4> list;
  operands.split(list, ',');
  for (auto [index, operand] : enumerate(list))
    if (operand.trim() != "$" + utostr(index))
      return std::nullopt;
  PtxInstruction instruction;
  name.split(instruction.parts, '.');
  instruction.operands = list.size() - 1;
  return instruction;
}

Type *type_named(StringRef name, LLVMContext &context) {
  Type *half = Type::getHalfTy(context), *brain = Type::getBFloatTy(context);
  return StringSwitch<Type *>(name)
      .Case("f16", half)
      .Case("bf16", brain)
      .Case("f16x2", FixedVectorType::get(half, 2))
      .Case("bf16x2", FixedVectorType::get(brain, 2))
      .Case("f32", Type::getFloatTy(context))
      .Case("f64", Type::getDoubleTy(context))
      .Default(nullptr);
}

Value *arithmetic(IRBuilder<> &builder, StringRef operation, ArrayRef<Value *> x) {
  if (x.size() == 1)
    return operation == "neg"   ? builder.CreateFNeg(x[0])
           : operation == "abs" ? builder.CreateUnaryIntrinsic(Intrinsic::fabs, x[0])
                                : nullptr;
  if (x.size() == 3)
    return operation == "fma" ? builder.CreateIntrinsic(Intrinsic::fma, {x[0]->getType()}, x) : nullptr;
  if (x.size() != 2)
    return nullptr;
  return operation == "add"   ? builder.CreateFAdd(x[0], x[1])
         : operation == "sub" ? builder.CreateFSub(x[0], x[1])
         : operation == "mul" ? builder.CreateFMul(x[0], x[1])
         : operation == "min" ? builder.CreateBinaryIntrinsic(Intrinsic::minnum, x[0], x[1])
         : operation == "max" ? builder.CreateBinaryIntrinsic(Intrinsic::maxnum, x[0], x[1])
                              : nullptr;
}

/// The same by instructions of LLVM, or null.
Value *rewritten(IRBuilder<> &builder, CallInst &call, const PtxInstruction &instruction) {
  SmallVector<Type *, 2> types;
  for (StringRef part : drop_begin(instruction.parts)) {
    if (part == "rn")
      continue;
    types.push_back(type_named(part, call.getContext()));
    if (!types.back())
      return nullptr;
  }
  const bool converts = instruction.parts.front() == "cvt";
  if (types.size() != (converts ? 2 : 1) || call.arg_size() != instruction.operands)
    return nullptr;
  Type *from = types.back(), *to = types.front();
  SmallVector<Value *, 3> operands;
  for (Value *operand : call.args()) {
    if (operand->getType()->getPrimitiveSizeInBits() != from->getPrimitiveSizeInBits())
      return nullptr;
    operands.push_back(builder.CreateBitCast(operand, from));
  }
  if (call.getType()->getPrimitiveSizeInBits() != to->getPrimitiveSizeInBits())
    return nullptr;
  Value *result = converts && operands.size() == 1 ? builder.CreateFPCast(operands.front(), to)
                                                   : arithmetic(builder, instruction.parts.front(), operands);
  return result ? builder.CreateBitCast(result, call.getType()) : nullptr;
}

/// Comparisons of halves give integers.
bool is_comparison(StringRef text) {
  return text.contains("setp") || text.contains("set.");
}

} // namespace

Expected<bool> rewrite_half_instructions(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    const StringRef text = assembly ? assembly->getAsmString() : "";
    if (!text.contains("f16") || is_comparison(text))
      continue;
    IRBuilder<> builder(call);
    const std::optional<PtxInstruction> parsed = parse(text);
    Value *result = parsed ? rewritten(builder, *call, *parsed) : nullptr;
    if (!result)
      return unsupported(*call, "inline PTX on numbers of half precision that is no sum, product or conversion",
                         "compute in float and convert, or give the function a rule");
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace assay::engine
