#include "core/engine/tidy/nest_memory.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

NestMemory::NestMemory(const Loop &nest, ScalarEvolution &evolution, AAResults &aliases, const Accesses &sums)
    : outer_(nest), inner_(nest.isInnermost() ? nest : *nest.getSubLoops().front()), evolution_(evolution),
      aliases_(aliases) {
  is_known_ = collect(sums);
}

bool is_known_before(const SCEV *count, const Loop &nest, ScalarEvolution &evolution) {
  const auto may_divide_by_zero = [](const SCEV *part) {
    const auto *division = dyn_cast<SCEVUDivExpr>(part);
    return division && !isa<SCEVConstant>(division->getRHS());
  };
  return !isa<SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, &nest) &&
         !SCEVExprContains(count, may_divide_by_zero);
}

bool NestMemory::collect(const Accesses &sums) {
  for (const Loop *loop : {&outer_, &inner_})
    if (!is_known_before(evolution_.getBackedgeTakenCount(loop), outer_, evolution_))
      return false;
  for (BasicBlock *block : outer_.blocks())
    for (Instruction &instruction : *block) {
      if (isa<LoadInst, StoreInst>(instruction)) {
        if (!add(instruction, sums.contains(&instruction)))
          return false;
      } else if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) {
        return false;
      }
    }
  return true;
}

bool NestMemory::add(Instruction &access, bool is_sum) {
  constexpr std::size_t most = 40; // places
  const auto *load = dyn_cast<LoadInst>(&access);
  const auto *store = dyn_cast<StoreInst>(&access);
  if (!(load ? load->isSimple() : store->isSimple()) || places_.size() == most)
    return false;
  const SCEV *zero = evolution_.getZero(Type::getInt64Ty(access.getContext()));
  Place place{evolution_.getSCEV(getLoadStorePointerOperand(&access)), zero, zero};
  place.is_sum = is_sum;
  if (const auto *moving = dyn_cast<SCEVAddRecExpr>(place.start); moving && moving->getLoop() == &inner_) {
    place.inner_step = moving->getStepRecurrence(evolution_);
    place.start = moving->getStart();
  }
  if (const auto *moving = dyn_cast<SCEVAddRecExpr>(place.start); moving && moving->getLoop() == &outer_) {
    place.outer_step = moving->getStepRecurrence(evolution_);
    place.start = moving->getStart();
  }
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  if (size.isScalable())
    return false;
  place.bytes = static_cast<std::int64_t>(size.getFixedValue());
  for (const SCEV *part : {place.start, place.outer_step, place.inner_step})
    if (!evolution_.isLoopInvariant(part, &outer_) || (part != place.start && !part->getType()->isIntegerTy(64)))
      return false;
  Place *known = find_if(places_, [&](const Place &other) {
    return other.start == place.start && other.outer_step == place.outer_step && other.inner_step == place.inner_step &&
           other.bytes == place.bytes && other.is_sum == place.is_sum;
  });
  if (known == places_.end()) {
    places_.push_back(place);
    known = &places_.back();
  }
  known->is_written |= store != nullptr;
  (inner_.contains(&access) ? known->is_inner : known->is_outer) = true;
  known->accesses.push_back(&access);
  return true;
}

static std::optional<std::int64_t> constant(const SCEV *expression) {
  const auto *number = dyn_cast<SCEVConstant>(expression);
  return number ? std::optional(number->getAPInt().getSExtValue()) : std::nullopt;
}

bool NestMemory::has_columns() const {
  return any_of(places_, [](const Place &place) {
    const std::optional<std::int64_t> outer = constant(place.outer_step), inner = constant(place.inner_step);
    return place.is_inner && outer == place.bytes && (!inner || std::abs(*inner) > place.bytes);
  });
}

/// Whether no iteration means an address of another one that runs beside it, unless at the same time.
bool NestMemory::separates_iterations(const Place &place, unsigned count) {
  const auto outer = constant(place.outer_step), inner = constant(place.inner_step);
  if (place.is_outer || inner == 0)
    return !place.is_inner && outer && std::abs(*outer) >= place.bytes;
  if (outer == 0)
    return inner && std::abs(*inner) >= place.bytes;
  if (outer && inner)
    return std::abs(*outer) >= place.bytes && std::abs(*inner) >= count * std::abs(*outer);
  const auto known = outer ? outer : inner;
  if (!known || std::abs(*known) < place.bytes)
    return false;
  strides_.push_back(static_cast<unsigned>(&place - places_.data()));
  return true;
}

bool NestMemory::may_differ(const Place &one, const Place &other) {
  return isa<SCEVCouldNotCompute>(evolution_.getMinusSCEV(one.start, other.start)) ||
         !isa<SCEVConstant>(evolution_.getMinusSCEV(one.start, other.start));
}

bool NestMemory::allows(unsigned count) {
  constexpr std::size_t most = 24; // conditions
  if (!is_known_)
    return false;
  pairs_.clear();
  strides_.clear();
  for (unsigned one = 0; one < places_.size(); ++one) {
    if (places_[one].is_written && !places_[one].is_sum && !separates_iterations(places_[one], count))
      return false;
    for (unsigned other = 0; other < one; ++other) {
      if ((!places_[one].is_written && !places_[other].is_written) || (places_[one].is_sum && places_[other].is_sum))
        continue;
      const bool are_apart = all_of(places_[one].accesses, [&](Instruction *first) {
        return all_of(places_[other].accesses, [&](Instruction *second) {
          return aliases_.isNoAlias(
              MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(first), first->getAAMetadata()),
              MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(second), second->getAAMetadata()));
        });
      });
      if (are_apart)
        continue;
      if (!may_differ(places_[one], places_[other]))
        return false;
      pairs_.emplace_back(one, other);
    }
  }
  return pairs_.size() + strides_.size() <= most;
}

const SCEV *NestMemory::magnitude(const SCEV *step) {
  return evolution_.getAbsExpr(step, /*IsNSW=*/false);
}

/// From where a place starts to its lowest address, or to the first one behind it. All of them are accessed, so nothing
/// overflows.
const SCEV *NestMemory::offset(const Place &place, bool upper) {
  const SCEV *zero = evolution_.getZero(place.inner_step->getType());
  const SCEV *sum = upper ? evolution_.getConstant(zero->getType(), place.bytes) : zero;
  for (const auto &[step, loop] : {std::pair(place.outer_step, &outer_), {place.inner_step, &inner_}}) {
    const SCEV *last = evolution_.getMulExpr(
        step, evolution_.getTruncateOrZeroExtend(evolution_.getBackedgeTakenCount(loop), step->getType()));
    const SCEV *reached = upper ? evolution_.getSMaxExpr(zero, last) : evolution_.getSMinExpr(zero, last);
    if (evolution_.isKnownNonNegative(step))
      reached = upper ? last : zero;
    else if (evolution_.isKnownNonPositive(step))
      reached = upper ? zero : last;
    sum = evolution_.getAddExpr(sum, reached);
  }
  return sum;
}

/// One ends before the other begins. Where both are known distances apart, as they are in all shadows of one argument,
/// that is asked once.
Value *NestMemory::write_apart(const Place &one, const Place &other, Instruction &before) {
  SCEVExpander expander(evolution_, "apart");
  IRBuilder<> builder(&before);
  const auto write = [&](const SCEV *expression) {
    Value *value = expander.expandCodeFor(expression, expression->getType(), &before);
    builder.SetInsertPoint(&before);
    return value;
  };
  const SCEV *distance = evolution_.getMinusSCEV(other.start, one.start);
  const SCEV *low = offset(one, false), *high = offset(one, true), *other_low = offset(other, false),
             *other_high = offset(other, true);
  if (isa<SCEVCouldNotCompute>(distance)) {
    const auto behind = [&](const Place &first, const SCEV *end, const Place &second, const SCEV *begin) {
      return builder.CreateICmpULE(write(evolution_.getAddExpr(first.start, end)),
                                   write(evolution_.getAddExpr(second.start, begin)));
    };
    Value *before_other = behind(one, high, other, other_low);
    return builder.CreateOr(before_other, behind(other, other_high, one, low));
  }
  const SCEV *gap = evolution_.getMinusSCEV(evolution_.getAddExpr(distance, other_low), high);
  const SCEV *other_gap = evolution_.getMinusSCEV(low, evolution_.getAddExpr(distance, other_high));
  Value *&known = written_[{gap, other_gap}];
  if (!known) {
    Value *zero = ConstantInt::get(gap->getType(), 0);
    Value *before_other = builder.CreateICmpSGE(write(gap), zero);
    known = builder.CreateOr(before_other, builder.CreateICmpSGE(write(other_gap), zero));
  }
  return known;
}

Value *NestMemory::write_conditions(unsigned count, Instruction &before) {
  SmallSetVector<Value *, 8> conditions;
  for (const auto &[one, other] : pairs_)
    conditions.insert(write_apart(places_[one], places_[other], before));
  SCEVExpander expander(evolution_, "jam");
  const auto write = [&](const SCEV *expression) {
    return expander.expandCodeFor(expression, expression->getType(), &before);
  };
  for (unsigned index : strides_) {
    const Place &place = places_[index];
    const SCEV *outer = magnitude(place.outer_step), *inner = magnitude(place.inner_step);
    const SCEV *trips = evolution_.getTruncateOrZeroExtend(evolution_.getBackedgeTakenCount(&inner_), inner->getType());
    if (constant(place.outer_step)) // a column is longer than what runs side by side
      outer = evolution_.getMulExpr(outer, evolution_.getConstant(outer->getType(), count));
    else // or longer than all that the inner loop does
      inner = evolution_.getMulExpr(inner, evolution_.getAddExpr(trips, evolution_.getOne(inner->getType())));
    Value *shorter = write(constant(place.outer_step) ? outer : inner);
    Value *longer = write(constant(place.outer_step) ? inner : outer);
    conditions.insert(IRBuilder<>(&before).CreateICmpUGE(longer, shorter));
  }
  IRBuilder<> builder(&before);
  return conditions.empty() ? builder.getTrue() : builder.CreateAnd(conditions.getArrayRef());
}

} // namespace assay::engine
