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
  constexpr std::size_t most = 12; // questions
  are_known_ = all_of(dependences(nest, parts, aliases), [&](const std::pair<Instruction *, Instruction *> &pair) {
    const std::optional<Range> one = range_of(*pair.first), other = range_of(*pair.second);
    if (!one || !other)
      return false;
    if (none_of(pairs_, [&](const std::pair<Range, Range> &known) {
          return known.first.low == one->low && known.first.high == one->high && known.second.low == other->low &&
                 known.second.high == other->high;
        }))
      pairs_.emplace_back(*one, *other);
    return pairs_.size() <= most;
  });
}

std::optional<PartBounds::Range> PartBounds::range_of(const Instruction &access) {
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  if (size.isScalable())
    return std::nullopt;
  const SCEV *address = evolution_.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&access)));
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
