#include "core/engine/tidy/memory_sums.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Reads a sum off its store, towards the load.
class SumReader {
public:
  explicit SumReader(StoreInst &store) : store_(store) { sum_.store = &store; }

  std::optional<MemorySum> read() {
    Value &sum = *store_.getValueOperand();
    if (!sum.getType()->isFloatingPointTy() || isa<LoadInst>(sum) || !find_load(sum))
      return std::nullopt;
    return std::move(sum_);
  }

private:
  bool find_load(Value &value) {
    auto *operation = dyn_cast<Instruction>(&value);
    if (!operation || operation->getParent() != store_.getParent() || !operation->hasOneUse())
      return false;
    if (auto *load = dyn_cast<LoadInst>(operation)) {
      sum_.load = load;
      return load->isSimple() && load->getPointerOperand() == store_.getPointerOperand();
    }
    if (!isa<FPMathOperator>(operation) || !operation->hasAllowReassoc())
      return false;
    sum_.operations.push_back(operation);
    if (goes_on(*operation))
      return true;
    sum_.operations.pop_back();
    return false;
  }

  bool goes_on(Instruction &operation) {
    switch (operation.getOpcode()) {
    case Instruction::FAdd:
      return goes_on_at(operation, 0, {operation.getOperand(1)}) || goes_on_at(operation, 1, {operation.getOperand(0)});
    case Instruction::FSub:
      return goes_on_at(operation, 0, {operation.getOperand(1), nullptr, true});
    case Instruction::Call:
      if (auto *call = dyn_cast<IntrinsicInst>(&operation);
          call && (call->getIntrinsicID() == Intrinsic::fmuladd || call->getIntrinsicID() == Intrinsic::fma))
        return goes_on_at(operation, 2, {call->getArgOperand(0), call->getArgOperand(1)});
      return false;
    default:
      return false;
    }
  }

  bool goes_on_at(Instruction &operation, unsigned operand, const MemorySum::Term &term) {
    sum_.terms.push_back(term);
    if (find_load(*operation.getOperand(operand)))
      return true;
    sum_.terms.pop_back();
    return false;
  }

  StoreInst &store_;
  MemorySum sum_;
};

bool is_undisturbed(const MemorySum &sum, AAResults &aliases) {
  const MemoryLocation place = MemoryLocation::get(sum.load);
  for (const Instruction *between = sum.load->getNextNode(); between != sum.store; between = between->getNextNode())
    if (!between || isModSet(aliases.getModRefInfo(between, place)))
      return false;
  return true;
}

} // namespace

bool MemorySum::subtracts_all() const {
  return all_of(terms, [](const Term &term) { return term.is_subtracted; });
}

std::optional<MemorySum> memory_sum(StoreInst &store, const Loop &loop, ScalarEvolution &evolution,
                                    AAResults &aliases) {
  if (!store.isSimple() || !store.hasMetadata(sum_in_memory))
    return std::nullopt;
  std::optional<MemorySum> sum = SumReader(store).read();
  if (!sum || !is_undisturbed(*sum, aliases))
    return std::nullopt;
  sum->address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(store.getPointerOperand()));
  if (!sum->address || sum->address->getLoop() != &loop || !sum->address->isAffine())
    return std::nullopt;
  const auto *step = dyn_cast<SCEVConstant>(sum->address->getStepRecurrence(evolution));
  const APInt size(64, store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue());
  if (!step || step->getAPInt().getBitWidth() != 64 || step->getAPInt().abs() != size)
    return std::nullopt;
  sum->is_upward = step->getAPInt().isStrictlyPositive();
  return sum;
}

std::int64_t NearSums::span() const {
  std::int64_t most = 0;
  for (const Member &member : members)
    most = std::max(most, member.shift);
  return most;
}

/// By how many iterations `earlier` comes to a place before `later` does.
static std::optional<std::int64_t> iterations_between(const MemorySum &earlier, const MemorySum &later,
                                                      ScalarEvolution &evolution) {
  Type *number = earlier.load->getType();
  if (later.load->getType() != number || later.is_upward != earlier.is_upward)
    return std::nullopt;
  const auto *distance = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(earlier.address, later.address));
  const std::int64_t size = earlier.load->getDataLayout().getTypeStoreSize(number).getFixedValue();
  const std::int64_t bytes = distance ? distance->getAPInt().getSExtValue() : 0;
  if (!distance || bytes % size != 0)
    return std::nullopt;
  return earlier.is_upward ? bytes / size : -bytes / size;
}

/// False where it would become too wide.
static bool join(NearSums &group, const MemorySum &sum, ScalarEvolution &evolution) {
  const std::optional<std::int64_t> shift = iterations_between(sum, *group.members.front().sum, evolution);
  if (!shift || *shift > NearSums::most_span || group.span() - *shift > NearSums::most_span)
    return false;
  if (*shift >= 0) {
    group.members.push_back({&sum, *shift});
    return true;
  }
  for (NearSums::Member &member : group.members)
    member.shift -= *shift;
  group.members.insert(group.members.begin(), {&sum, 0});
  return true;
}

SmallVector<NearSums, 4> near_sums(ArrayRef<MemorySum> sums, ScalarEvolution &evolution) {
  SmallVector<NearSums, 4> groups;
  for (const MemorySum &sum : sums)
    if (none_of(groups, [&](NearSums &group) { return join(group, sum, evolution); }))
      groups.push_back({{{&sum, 0}}});
  return groups;
}

} // namespace assay::engine
