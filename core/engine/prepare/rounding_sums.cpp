#include "core/engine/prepare/rounding_sums.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;

namespace assay::engine {
namespace {

/// `finest` bits below the place of the units may still be kept by 1.5 * 2^k (tables of exp).
constexpr int finest = 12;

bool is_shifter(const APFloat &number, const Type *type) {
  const Type *scalar = type->getScalarType();
  if (!scalar->isDoubleTy() && !scalar->isFloatTy())
    return false;
  const int bits = scalar->getFPMantissaWidth() - 1;
  int exponent = 0;
  const double value = std::fabs(scalar->isDoubleTy() ? number.convertToDouble() : number.convertToFloat());
  const double fraction = std::frexp(value, &exponent); // 0.5: a power of two; 0.75: one and a half
  if (fraction == 0.5)
    return exponent - 1 == bits;
  return fraction == 0.75 && exponent - 1 <= bits && exponent - 1 >= bits - finest;
}

/// The name of a function of the device's library that adds in the usual rounding, as intrinsics of it do.
StringRef device_sum(const Value *value) {
  const auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front(device_library_prefix) && !name.consume_front("llvm.nvvm."))
    return "";
  return StringSwitch<StringRef>(name)
      .Cases({"fadd_rn", "dadd_rn", "add.rn.f", "add.rn.d"}, "add")
      .Cases({"fsub_rn", "dsub_rn"}, "sub")
      .Cases({"fmaf_rn", "fma_rn", "fma.rn.f", "fma.rn.d"}, "fma")
      .Default("");
}

/// As below, of `device_sum`.
std::optional<APFloat> device_addend_of(const Value *value) {
  const StringRef name = device_sum(value);
  if (name.empty())
    return std::nullopt;
  const auto *call = cast<CallInst>(value);
  const auto *last = dyn_cast<ConstantFP>(call->getArgOperand(call->arg_size() - 1));
  if (last)
    return name == "sub" ? neg(last->getValueAPF()) : last->getValueAPF();
  const auto *first = name == "add" ? dyn_cast<ConstantFP>(call->getArgOperand(0)) : nullptr;
  return first ? std::optional(first->getValueAPF()) : std::nullopt;
}

/// The constant of `value + constant` or `value - constant`, with its sign.
std::optional<APFloat> addend_of(const Value *value) {
  using namespace PatternMatch;
  const APFloat *constant = nullptr;
  if (match(value, m_c_FAdd(m_Value(), m_APFloat(constant))))
    return *constant;
  if (match(value, m_FSub(m_Value(), m_APFloat(constant))))
    return neg(*constant);
  if (match(value, m_Intrinsic<Intrinsic::fmuladd>(m_Value(), m_Value(), m_APFloat(constant))) ||
      match(value, m_Intrinsic<Intrinsic::fma>(m_Value(), m_Value(), m_APFloat(constant))))
    return *constant;
  return device_addend_of(value);
}

bool is_sum(const Instruction &instruction) {
  return instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub ||
         device_sum(&instruction) == "add" || device_sum(&instruction) == "sub";
}

bool rounds(const Instruction &instruction) {
  if (!is_sum(instruction))
    return false;
  const auto outer = addend_of(&instruction);
  if (!outer || !is_shifter(*outer, instruction.getType()))
    return false;
  const auto inner = addend_of(instruction.getOperand(isa<Constant>(instruction.getOperand(0)) ? 1 : 0));
  return inner && inner->bitwiseIsEqual(neg(*outer));
}

} // namespace

void rewrite_rounding_sums(Function &function) {
  SmallVector<Instruction *, 4> sums;
  for (Instruction &instruction : instructions(function))
    if (rounds(instruction))
      sums.push_back(&instruction);
  for (Instruction *sum : sums) {
    IRBuilder<> builder(sum->getNextNode());
    auto *rounded = cast<CallInst>(without_derivative(builder, sum));
    const Value *bits = rounded->getArgOperand(0); // the one use that stays
    sum->replaceUsesWithIf(rounded, [&](const Use &use) { return use.getUser() != bits; });
  }
}

} // namespace assay::engine
