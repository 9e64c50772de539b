#include "core/engine/tidy/part_bounds.hpp"
#include "core/engine/tidy/nest_memory.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {

PartBounds::PartBounds(const Loop &nest, const LaneParts &parts, ScalarEvolution &evolution, AAResults &aliases)
    : nest_(nest), evolution_(evolution) {
  are_known_ = all_of(dependences(nest, parts, aliases), [&](const Dependence &dependence) { return add(dependence); });
}

/// False where it cannot be asked, or where they always overlap.
bool PartBounds::add(const Dependence &dependence) {
  constexpr std::size_t most = 12; // questions
  if (is_read_first(dependence))
    return true;
  const std::optional<Range> one = range_of(*dependence.store), other = range_of(*dependence.access);
  if (!one || !other)
    return false;
  const auto is_before = [&](const Range &first, const Range &second) {
    const SCEV *gap = evolution_.getMinusSCEV(second.low, first.high);
    return !isa<SCEVCouldNotCompute>(gap) && evolution_.isKnownNonNegative(gap);
  };
  if (is_before(*one, *other) || is_before(*other, *one))
    return true;
  if (distance(one->low, other->low))
    return false;
  if (none_of(pairs_, [&](Pair &known) { return extend(known, {*one, *other}); }))
    pairs_.emplace_back(*one, *other);
  return pairs_.size() <= most;
}

/// Each iteration reads one element and then overwrites it: a loop that only reads them all may run before.
bool PartBounds::is_read_first(const Dependence &dependence) {
  const auto &[store, access, store_runs_later] = dependence;
  if (!store_runs_later || !isa<LoadInst>(access) || nest_.getNumBlocks() != 1 || !access->comesBefore(store) ||
      getLoadStoreType(access) != getLoadStoreType(store))
    return false;
  const SCEV *address = evolution_.getSCEV(getLoadStorePointerOperand(store));
  const auto *moving = dyn_cast<SCEVAddRecExpr>(address);
  if (!moving || !moving->isAffine() || evolution_.getSCEV(getLoadStorePointerOperand(access)) != address)
    return false;
  const auto *step = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_));
  const TypeSize size = store->getDataLayout().getTypeStoreSize(getLoadStoreType(store));
  return step && !size.isScalable() && step->getAPInt().abs().uge(size.getFixedValue());
}

std::optional<std::int64_t> PartBounds::distance(const SCEV *from, const SCEV *to) {
  const auto *number = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(to, from));
  return number ? std::optional(number->getAPInt().getSExtValue()) : std::nullopt;
}

/// One question for pairs that are known distances apart, as the rows of an array are.
bool PartBounds::extend(Pair &known, const Pair &pair) {
  const auto first_low = distance(known.first.low, pair.first.low),
             first_high = distance(known.first.high, pair.first.high),
             second_low = distance(known.second.low, pair.second.low),
             second_high = distance(known.second.high, pair.second.high);
  if (!first_low || !first_high || !second_low || !second_high)
    return false;
  known = {
      {*first_low < 0 ? pair.first.low : known.first.low, *first_high > 0 ? pair.first.high : known.first.high},
      {*second_low < 0 ? pair.second.low : known.second.low, *second_high > 0 ? pair.second.high : known.second.high}};
  return true;
}

std::optional<PartBounds::Range> PartBounds::range_of(Instruction &access) {
  auto [found, is_new] = ranges_.try_emplace(&access);
  if (is_new)
    found->second = find_range(access);
  return found->second;
}

std::optional<PartBounds::Range> PartBounds::find_range(Instruction &access) {
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  if (size.isScalable())
    return std::nullopt;
  const SCEV *address = evolution_.getSCEV(getLoadStorePointerOperand(&access));
  Type *bytes = evolution_.getEffectiveSCEVType(address->getType());
  const SCEV *zero = evolution_.getZero(bytes), *low = zero,
             *high = evolution_.getConstant(bytes, size.getFixedValue());
  while (const auto *moving = dyn_cast<SCEVAddRecExpr>(address)) {
    if (!nest_.contains(moving->getLoop()))
      break;
    const SCEV *step = moving->getStepRecurrence(evolution_),
               *again = evolution_.getBackedgeTakenCount(moving->getLoop());
    if (!moving->isAffine() || !evolution_.isLoopInvariant(step, &nest_) || !is_known_before(again, nest_, evolution_))
      return std::nullopt;
    const SCEV *last = evolution_.getMulExpr(step, evolution_.getTruncateOrZeroExtend(again, bytes));
    low = evolution_.getAddExpr(low, evolution_.isKnownNonNegative(step) ? zero : evolution_.getSMinExpr(zero, last));
    high = evolution_.getAddExpr(high, evolution_.isKnownNonNegative(step) ? last : evolution_.getSMaxExpr(zero, last));
    address = moving->getStart();
  }
  if (!evolution_.isLoopInvariant(address, &nest_))
    return std::nullopt;
  const Range range{evolution_.getAddExpr(address, low), evolution_.getAddExpr(address, high)};
  const SCEVExpander expander(evolution_, "parts");
  if (!expander.isSafeToExpand(range.low) || !expander.isSafeToExpand(range.high))
    return std::nullopt;
  return range;
}

Value *PartBounds::write_condition(Instruction &before) {
  SCEVExpander expander(evolution_, "parts");
  const auto write = [&](const SCEV *address) { return expander.expandCodeFor(address, address->getType(), &before); };
  SmallSetVector<Value *, 8> conditions;
  for (const auto &[one, other] : pairs_) {
    Value *one_low = write(one.low), *one_high = write(one.high);
    Value *other_low = write(other.low), *other_high = write(other.high);
    IRBuilder<> builder(&before);
    Value *is_before = builder.CreateICmpULE(one_high, other_low);
    conditions.insert(builder.CreateOr(is_before, builder.CreateICmpULE(other_high, one_low)));
  }
  IRBuilder<> builder(&before);
  return conditions.empty() ? builder.getTrue() : builder.CreateAnd(conditions.getArrayRef());
}

} // namespace assay::engine
