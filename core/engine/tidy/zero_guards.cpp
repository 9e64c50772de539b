#include "core/engine/tidy/zero_guards.hpp"
#include "core/engine/rules/zero_times_infinity.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// Zero or NaN where the seed is zero.
bool is_multiple_of(const Value &value, const Value &seed, unsigned depth = 0) {
  constexpr unsigned most_depth = 6;
  const auto *operation = dyn_cast<Instruction>(&value);
  if (&value == &seed || !operation || depth == most_depth)
    return &value == &seed;
  const auto is_multiple = [&](unsigned index) {
    return is_multiple_of(*operation->getOperand(index), seed, depth + 1);
  };
  switch (operation->getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FDiv:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return is_multiple(0);
  case Instruction::FMul:
    return is_multiple(0) || is_multiple(1);
  case Instruction::FAdd:
  case Instruction::FSub:
    return is_multiple(0) && is_multiple(1);
  case Instruction::Select:
    return is_multiple(1) && is_multiple(2);
  default:
    return false;
  }
}

/// The test of the seed alone, where the guard has the form in which it was written.
Value *test_of_seed(SelectInst &guard) {
  Value *product = guard.getFalseValue(), *first = nullptr, *second = nullptr;
  if (!guard.hasMetadata(zero_guard) || !match(guard.getTrueValue(), m_PosZeroFP()) ||
      !match(guard.getCondition(), m_LogicalAnd(m_Value(first), m_Value(second))))
    return nullptr;
  for (const auto &[of_seed, of_product] : {std::pair(first, second), std::pair(second, first)}) {
    Value *seed = nullptr;
    if (match(of_seed, m_SpecificFCmp(FCmpInst::FCMP_OEQ, m_Value(seed), m_AnyZeroFP())) &&
        match(of_product, m_SpecificFCmp(FCmpInst::FCMP_UNO, m_Specific(product), m_Value())) &&
        is_multiple_of(*product, *seed))
      return of_seed;
  }
  return nullptr;
}

} // namespace

PreservedAnalyses ZeroGuardsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    if (auto *guard = dyn_cast<SelectInst>(&instruction))
      if (Value *test = test_of_seed(*guard)) {
        guard->setCondition(test);
        changed = true;
      }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace assay::engine
