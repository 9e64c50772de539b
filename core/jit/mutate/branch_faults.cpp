#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/replace_uses.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::jit {

namespace {

class BranchFinder {
public:
  BranchFinder(Function &function, const Roles &roles, Sites &sites)
      : function_(function), roles_(roles), sites_(sites) {}

  void run() {
    for (Instruction &instruction : instructions(function_))
      if (auto *comparison = dyn_cast<FCmpInst>(&instruction))
        visit_comparison(*comparison);
      else if (auto *select = dyn_cast<SelectInst>(&instruction))
        visit_select(*select);
      else if (auto *branch = dyn_cast<BranchInst>(&instruction))
        visit_branch(*branch);
  }

private:
  void add(FaultClass kind, Instruction &place, std::string text, std::function<void()> change) {
    sites_.push_back({kind, &place, 0, nullptr, std::move(change), std::move(text)});
  }

  void visit_comparison(FCmpInst &comparison) {
    if (!comparison.getOperand(0)->getType()->isFloatingPointTy())
      return;
    const auto other = with_tie_exchanged(comparison.getPredicate());
    if (!other) // has no threshold
      return;
    const bool is_zero = match(comparison.getOperand(1), PatternMatch::m_AnyZeroFP());
    add(FaultClass::threshold, comparison, is_zero ? "with 1/4 for the threshold 0" : "with 3/2 of the threshold",
        [&comparison, is_zero] {
          Value *threshold = comparison.getOperand(1);
          Constant *factor = ConstantFP::get(threshold->getType(), is_zero ? 0.25 : 1.5);
          IRBuilder<> builder(&comparison);
          comparison.setOperand(1, is_zero ? factor : builder.CreateFMul(threshold, factor));
        });
    add(FaultClass::tie, comparison, "with equal numbers on the other side",
        [&comparison, other = *other] { comparison.setPredicate(other); });
  }

  static std::optional<CmpInst::Predicate> with_tie_exchanged(CmpInst::Predicate predicate) {
    switch (predicate) {
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_ULT:
    case CmpInst::FCMP_ULE:
    case CmpInst::FCMP_UGT:
    case CmpInst::FCMP_UGE:
      return CmpInst::Predicate(predicate ^ CmpInst::FCMP_OEQ);
    default:
      return std::nullopt;
    }
  }

  static Value *halved(IRBuilder<> &builder, Value &value) {
    return builder.CreateFMul(&value, ConstantFP::get(value.getType(), 0.5));
  }

  void visit_select(SelectInst &select) {
    if (!select.getType()->isFloatingPointTy() || !roles_.carries(&select))
      return;
    for (const unsigned operand : {1U, 2U})
      if (!isa<Constant>(select.getOperand(operand)))
        add(FaultClass::one_side, select,
            operand == 1 ? "with half of what it gives if so" : "with half of what it gives if not",
            [&select, operand] {
              IRBuilder<> builder(&select);
              select.setOperand(operand, halved(builder, *select.getOperand(operand)));
            });
  }

  /// The first derivative that is computed on each side; where loops end there is no side.
  void visit_branch(BranchInst &branch) {
    if (!branch.isConditional())
      return;
    for (BasicBlock *side : branch.successors()) {
      if (!side->getSinglePredecessor())
        continue;
      for (Instruction &instruction : *side)
        if (instruction.getType()->isFloatingPointTy() && isa<BinaryOperator>(instruction) &&
            roles_.carries(&instruction)) {
          add(FaultClass::one_side, instruction, "with half of it on this side of a branch",
              [&instruction] { replace_everywhere(instruction, halved); });
          break;
        }
    }
  }

  Function &function_;
  const Roles &roles_;
  Sites &sites_;
};

} // namespace

void find_branch_faults(Function &function, const Roles &roles, Sites &sites) {
  BranchFinder(function, roles, sites).run();
}

} // namespace assay::jit
