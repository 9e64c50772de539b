#include "core/engine/analysis/bounded_offsets.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

namespace assay::engine {
namespace {

constexpr std::size_t most_sets = 16;
constexpr unsigned index_depth = 6;

OffsetSets sums(const OffsetSets &left, const OffsetSets &right) {
  OffsetSets found;
  for (const OffsetSet &one : left)
    for (const OffsetSet &other : right)
      found.push_back(one.plus(other));
  return found;
}

OffsetSets scaled(OffsetSets sets, std::int64_t factor) {
  const auto size = static_cast<std::uint64_t>(factor < 0 ? -factor : factor);
  for (OffsetSet &set : sets)
    set = {set.base * factor, set.stride * size};
  return sets;
}

/// The comparison that ends a loop: of its variable, or of the next value of that, with a constant.
struct Ending {
  bool of_next;
  llvm::CmpInst::Predicate goes_on; ///< As long as this holds.
  llvm::APInt bound;
};

std::optional<Ending> ending_of(const llvm::PHINode &counter, const llvm::BinaryOperator &next,
                                const llvm::BasicBlock &last) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(last.getTerminator());
  const auto *comparison =
      branch != nullptr && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  const auto *bound = comparison != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(1)) : nullptr;
  if (bound == nullptr || bound->getBitWidth() > 64 || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !llvm::is_contained(branch->successors(), counter.getParent()))
    return std::nullopt;
  const llvm::Value *compared = comparison->getOperand(0);
  if (compared != &counter && compared != &next)
    return std::nullopt;
  const bool where_true = branch->getSuccessor(0) == counter.getParent();
  return Ending{compared == &next, where_true ? comparison->getPredicate() : comparison->getInversePredicate(),
                bound->getValue()};
}

OffsetSets sets_of(const llvm::Value &index, unsigned depth);

/// As the operation says; a single set where it has too many.
OffsetSets sets_of_operation(const llvm::Operator &operation, unsigned depth) {
  const auto operand = [&](unsigned number) { return sets_of(*operation.getOperand(number), depth - 1); };
  const auto *constant =
      operation.getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1)) : nullptr;
  constexpr unsigned most_bits = 30;
  switch (operation.getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    return operand(0);
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint())
      return {};
    [[fallthrough]];
  case llvm::Instruction::Add: {
    const OffsetSets left = operand(0), right = operand(1);
    return left.size() * right.size() <= most_sets ? sums(left, right) : OffsetSets();
  }
  case llvm::Instruction::Sub: {
    const OffsetSets left = operand(0), right = scaled(operand(1), -1);
    return left.size() * right.size() <= most_sets ? sums(left, right) : OffsetSets();
  }
  case llvm::Instruction::Mul:
    return constant != nullptr && constant->getValue().getSignificantBits() <= most_bits
               ? scaled(operand(0), constant->getSExtValue())
               : OffsetSets();
  case llvm::Instruction::Shl:
    return constant != nullptr && constant->getValue().ult(most_bits)
               ? scaled(operand(0), std::int64_t{1} << constant->getZExtValue())
               : OffsetSets();
  case llvm::Instruction::PHI: {
    OffsetSets values;
    for (const std::int64_t value : values_of_counter(llvm::cast<llvm::PHINode>(operation)))
      values.push_back({value, 0});
    return values;
  }
  default:
    return {};
  }
}

OffsetSets sets_of(const llvm::Value &index, unsigned depth) {
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&index);
  const OffsetSets found = operation != nullptr && depth > 0 ? sets_of_operation(*operation, depth) : OffsetSets();
  return found.size() > 1 ? found : OffsetSets{integer_values(index)};
}

} // namespace

llvm::SmallVector<std::int64_t, 4> values_of_counter(const llvm::PHINode &counter) {
  llvm::BinaryOperator *next = nullptr;
  llvm::Value *start = nullptr, *step = nullptr;
  if (!llvm::matchSimpleRecurrence(&counter, next, start, step) || next->getOpcode() != llvm::Instruction::Add)
    return {};
  const unsigned again = counter.getIncomingValue(0) == next ? 0 : 1;
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(start), *by = llvm::dyn_cast<llvm::ConstantInt>(step);
  const auto ending = ending_of(counter, *next, *counter.getIncomingBlock(again));
  if (first == nullptr || by == nullptr || !ending)
    return {};
  llvm::SmallVector<std::int64_t, 4> values;
  llvm::APInt value = first->getValue();
  for (bool goes_on = true; goes_on; value += by->getValue()) {
    if (values.size() == most_sets)
      return {};
    values.push_back(value.getSExtValue());
    goes_on = llvm::ICmpInst::compare(ending->of_next ? value + by->getValue() : value, ending->bound, ending->goes_on);
  }
  return values;
}

OffsetSets bounded_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  if (!gep.collectOffset(layout, constant.getBitWidth(), variables, constant))
    return {OffsetSet::anywhere()};
  OffsetSets total{{constant.getSExtValue(), 0}};
  for (auto &[index, scale] : variables) {
    const OffsetSets added = scaled(sets_of(*index, index_depth), scale.getSExtValue());
    if (total.size() * added.size() > most_sets)
      return {gep_offsets(gep, layout)};
    total = sums(total, added);
  }
  return total;
}

} // namespace assay::engine
