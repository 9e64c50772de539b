#include "core/engine/plan/lane_addresses.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// How a number differs among lanes. What is made of several is like the last of them in this order.
enum class Spread : std::uint8_t {
  same,    ///< In all lanes, as far as the code tells.
  grouped, ///< A quotient or a remainder of the lane's number: the same in some.
  counted, ///< The lane's number has part in it.
  unknown, ///< Read from memory, or computed in another way.
};

bool is_lane_number(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return true;
  default:
    return false;
  }
}

bool is_special_register(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
}

/// A remainder that tells all lanes of a warp apart: `tid % 32`.
bool leaves_lane(const Instruction &instruction) {
  constexpr unsigned lanes = 32;
  const APInt *number = nullptr;
  if (match(&instruction, m_And(m_Value(), m_APInt(number))))
    return (*number & (lanes - 1)) == lanes - 1;
  return (match(&instruction, m_URem(m_Value(), m_APInt(number))) ||
          match(&instruction, m_SRem(m_Value(), m_APInt(number)))) &&
         number->urem(lanes) == 0;
}

bool divides(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
    return true;
  default:
    return false;
  }
}

class Spreads {
public:
  Spread of(const Value &value) {
    if (isa<AllocaInst>(value))
      return Spread::unknown;
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction) {
      const auto *expression = dyn_cast<ConstantExpr>(&value);
      return expression ? of_operands(*expression) : Spread::same;
    }
    // A loop-carried number begins with its incoming value.
    const auto [place, is_new] = known_.try_emplace(instruction, Spread::same);
    if (!is_new)
      return place->second;
    const Spread spread = of_instruction(*instruction);
    return known_[instruction] = spread;
  }

private:
  Spread of_instruction(const Instruction &instruction) {
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      return of_call(*call);
    if (const auto *load = dyn_cast<LoadInst>(&instruction)) // One place has one number, unless each lane has its own.
      return of(*load->getPointerOperand()) == Spread::same ? Spread::same : Spread::unknown;
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, PHINode, SelectInst, FreezeInst, CmpInst>(instruction))
      return Spread::unknown;
    const Spread spread = of_operands(instruction);
    return divides(instruction) && !leaves_lane(instruction) && spread == Spread::counted ? Spread::grouped : spread;
  }

  Spread of_call(const CallBase &call) {
    if (is_lane_number(call))
      return Spread::counted;
    if (is_special_register(call))
      return Spread::same;
    return isa<MinMaxIntrinsic>(call) ? of_operands(call) : Spread::unknown;
  }

  Spread of_operands(const User &user) {
    Spread spread = Spread::same;
    for (const Value *operand : user.operands())
      if (!isa<BasicBlock, Function>(operand))
        spread = std::max(spread, of(*operand));
    return spread;
  }

  DenseMap<const Instruction *, Spread> known_;
};

} // namespace

LaneAddresses lane_addresses(const Value &pointer) {
  return Spreads().of(pointer) <= Spread::grouped ? LaneAddresses::perhaps_alike : LaneAddresses::apart;
}

} // namespace assay::engine
