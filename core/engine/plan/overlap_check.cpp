#include "core/engine/plan/overlap_check.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/value_text.hpp"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_fixed(const SCEV *expression) {
  return !SCEVExprContains(expression, [](const SCEV *part) { return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(part); });
}

} // namespace

// --- bounds ----------------------------------------------------------------------------------------------------------

OverlapChecks::Range OverlapChecks::range(const SCEV *expression) {
  if (is_fixed(expression))
    return {expression, expression};
  if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression))
    return range_of_recurrence(*recurrence);
  if (const auto *product = dyn_cast<SCEVMulExpr>(expression))
    return range_of_product(*product);
  if (const auto *extension = dyn_cast<SCEVIntegralCastExpr>(expression);
      extension && !isa<SCEVTruncateExpr>(extension))
    return range_of_extension(*extension);
  const auto *sum = dyn_cast<SCEVAddExpr>(expression);
  if (!sum)
    return {};
  Range total{evolution_.getZero(expression->getType()), evolution_.getZero(expression->getType())};
  for (const SCEV *operand : sum->operands()) {
    const Range part = range(operand);
    if (!part.low)
      return {};
    total = {evolution_.getAddExpr(total.low, part.low), evolution_.getAddExpr(total.high, part.high)};
  }
  return total;
}

OverlapChecks::Range OverlapChecks::range_of_recurrence(const SCEVAddRecExpr &recurrence) {
  const SCEV *step = recurrence.isAffine() ? recurrence.getStepRecurrence(evolution_) : nullptr;
  if (!step || !is_fixed(step))
    return {};
  const Range start = range(recurrence.getStart());
  if (!start.low)
    return {};
  const Range entered = range_when_entered(recurrence, start);
  return entered.low ? entered : from(start, step, *recurrence.getLoop());
}

/// Of a loop that other loops enter, as `for (j = k + 1; j < n; ++j)`: what it runs where it is entered is a number,
/// and its last value moves with the outer loops as its first one does.
OverlapChecks::Range OverlapChecks::range_when_entered(const SCEVAddRecExpr &recurrence, const Range &start) {
  const auto *step = dyn_cast<SCEVConstant>(recurrence.getStepRecurrence(evolution_));
  const SCEV *count = exit_count(*recurrence.getLoop());
  if (!step || !count || is_fixed(count))
    return {};
  const SCEV *steps = count_when_entered(count, *recurrence.getLoop(), step->getType());
  if (!steps)
    return {};
  const Range last = range(evolution_.getAddExpr(recurrence.getStart(), evolution_.getMulExpr(step, steps)));
  if (!last.low)
    return {};
  return step->getAPInt().isNegative() ? Range{last.low, start.high} : Range{start.low, last.high};
}

/// The count in a wider type, without wrapping around, wherever the loop is entered; null where that is not known.
const SCEV *OverlapChecks::count_when_entered(const SCEV *count, const Loop &loop, Type *type) {
  const auto [gain, loss] = gain_and_loss(count);
  if (!evolution_.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_SLE, loss, gain))
    return nullptr;
  const auto widened = [&](const SCEV *part) { return evolution_.getNoopOrSignExtend(part, type); };
  return evolution_.getMinusSCEV(widened(gain), widened(loss));
}

/// The expression as a difference of two: the second has the negative terms and the negative steps of recurrences.
std::pair<const SCEV *, const SCEV *> OverlapChecks::gain_and_loss(const SCEV *expression) {
  Type *type = expression->getType();
  if (const auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    const SCEV *gain = evolution_.getZero(type), *loss = gain;
    for (const SCEV *operand : sum->operands()) {
      const auto [more, less] = gain_and_loss(operand);
      gain = evolution_.getAddExpr(gain, more);
      loss = evolution_.getAddExpr(loss, less);
    }
    return {gain, loss};
  }
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
  const auto *step = recurrence && recurrence->isAffine()
                         ? dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution_))
                         : nullptr;
  if (step) {
    const auto [gain, loss] = gain_and_loss(recurrence->getStart());
    const auto moving = [&](const SCEV *start, const SCEV *by) {
      return evolution_.getAddRecExpr(start, by, recurrence->getLoop(), SCEV::FlagAnyWrap);
    };
    if (step->getAPInt().isNegative())
      return {gain, moving(loss, evolution_.getNegativeSCEV(step))};
    return {moving(gain, step), loss};
  }
  if (expression->isNonConstantNegative() ||
      (isa<SCEVConstant>(expression) && cast<SCEVConstant>(expression)->getAPInt().isNegative()))
    return {evolution_.getZero(type), evolution_.getNegativeSCEV(expression)};
  return {expression, evolution_.getZero(type)};
}

/// How often the loop runs again, where that is known before it.
const SCEV *OverlapChecks::exit_count(const Loop &loop) {
  const auto found = control_.loops.find(&loop);
  if (found == control_.loops.end() || !found->second.count)
    return nullptr;
  const SCEV *count = evolution_.getExitCount(&loop, found->second.only_exiting);
  return isa<SCEVCouldNotCompute>(count) ? nullptr : count;
}

/// From start to start + step * count. The loop runs all these iterations: nothing on the way wraps around.
OverlapChecks::Range OverlapChecks::from(const Range &start, const SCEV *step, const Loop &loop) {
  const SCEV *count = exit_count(loop);
  Type *type = step->getType();
  if (!count || evolution_.getTypeSizeInBits(count->getType()) > evolution_.getTypeSizeInBits(type))
    return {};
  const Range distance = range(evolution_.getMulExpr(step, evolution_.getNoopOrZeroExtend(count, type)));
  if (!distance.low)
    return {};
  const SCEV *zero = evolution_.getZero(type);
  return {evolution_.getAddExpr(start.low, evolution_.getSMinExpr(zero, distance.low)),
          evolution_.getAddExpr(start.high, evolution_.getSMaxExpr(zero, distance.high))};
}

/// An index of few bits, which may wrap around: then it is anything of so many bits. Without, it is the same sum in
/// more bits.
OverlapChecks::Range OverlapChecks::range_of_extension(const SCEVIntegralCastExpr &extension) {
  constexpr unsigned most_bits = 32; // so that no sum in 64 bits wraps around
  Type *type = extension.getType();
  const SCEV *index = extension.getOperand();
  const unsigned bits = evolution_.getTypeSizeInBits(index->getType());
  if (bits > most_bits || evolution_.getTypeSizeInBits(type) != 64)
    return {};
  const bool is_signed = isa<SCEVSignExtendExpr>(extension);
  const Range exact = range_without_wrapping(index, type, is_signed);
  if (!exact.low)
    return {};
  const auto bound = [&](const APInt &value) { return evolution_.getConstant(value.sext(64)); };
  const SCEV *least = is_signed ? bound(APInt::getSignedMinValue(bits)) : evolution_.getZero(type);
  const SCEV *most =
      is_signed ? bound(APInt::getSignedMaxValue(bits)) : evolution_.getConstant(APInt::getMaxValue(bits).zext(64));
  const auto excess = [&](const SCEV *larger, const SCEV *smaller) {
    return evolution_.getSMaxExpr(evolution_.getZero(type), evolution_.getMinusSCEV(larger, smaller));
  };
  const SCEV *wraps = evolution_.getUMinExpr(evolution_.getOne(type),
                                             evolution_.getAddExpr(excess(exact.high, most), excess(least, exact.low)));
  const SCEV *everything = evolution_.getMulExpr(evolution_.getConstant(APInt::getOneBitSet(64, 62)), wraps);
  return {evolution_.getSMaxExpr(least, evolution_.getMinusSCEV(exact.low, everything)),
          evolution_.getSMinExpr(most, evolution_.getAddExpr(exact.high, everything))};
}

/// Of a sum of few bits, as one of type `type`.
OverlapChecks::Range OverlapChecks::range_without_wrapping(const SCEV *index, Type *type, bool is_signed) {
  if (is_fixed(index)) {
    const SCEV *wide =
        is_signed ? evolution_.getSignExtendExpr(index, type) : evolution_.getZeroExtendExpr(index, type);
    return {wide, wide};
  }
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(index);
  const SCEV *step = recurrence && recurrence->isAffine() ? recurrence->getStepRecurrence(evolution_) : nullptr;
  if (!step || !is_fixed(step))
    return {};
  const Range start = range_without_wrapping(recurrence->getStart(), type, is_signed);
  return start.low ? from(start, evolution_.getSignExtendExpr(step, type), *recurrence->getLoop()) : Range();
}

/// A fixed factor times something that varies.
OverlapChecks::Range OverlapChecks::range_of_product(const SCEVMulExpr &product) {
  const SCEV *factor = evolution_.getOne(product.getType()), *varying = nullptr;
  for (const SCEV *operand : product.operands()) {
    if (is_fixed(operand))
      factor = evolution_.getMulExpr(factor, operand);
    else if (std::exchange(varying, operand))
      return {};
  }
  const Range inner = range(varying);
  if (!inner.low)
    return {};
  const SCEV *first = evolution_.getMulExpr(factor, inner.low), *second = evolution_.getMulExpr(factor, inner.high);
  return {evolution_.getSMinExpr(first, second), evolution_.getSMaxExpr(first, second)};
}

const SCEV *OverlapChecks::bytes_of(const Instruction &access) {
  Type *word = Type::getInt64Ty(access.getContext());
  if (const auto *intrinsic = dyn_cast<MemIntrinsic>(&access))
    return range(evolution_.getNoopOrZeroExtend(evolution_.getSCEV(intrinsic->getLength()), word)).high;
  return evolution_.getConstant(word, access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)));
}

const OverlapChecks::Extent &OverlapChecks::extent(const Instruction &access) {
  auto [found, fresh] = extents_.try_emplace(&access);
  if (!fresh)
    return found->second;
  const SCEV *address = evolution_.getSCEV(const_cast<Value *>(written_pointer(access)));
  if (isa<SCEVCouldNotCompute>(address) || evolution_.getTypeSizeInBits(address->getType()) != 64)
    return found->second;
  const SCEV *base = evolution_.getPointerBase(address);
  if (!is_fixed(base))
    return found->second;
  const Extent extent{base, range(evolution_.removePointerBase(address)), bytes_of(access)};
  return extents_[&access] = extent;
}

// --- pieces ----------------------------------------------------------------------------------------------------------

/// To `memory` as well, where its bounds are known distances from those of the piece.
bool OverlapChecks::widen(Extent &piece, const Extent &memory) {
  const auto distance = [&](const SCEV *from, const SCEV *to) {
    const auto *constant = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(to, from));
    return constant ? std::optional(constant->getAPInt().getSExtValue()) : std::nullopt;
  };
  if (piece.base != memory.base)
    return false;
  const auto low = distance(piece.offsets.low, memory.offsets.low),
             high = distance(piece.offsets.high, memory.offsets.high);
  if (!low || !high)
    return false;
  if (*low < 0)
    piece.offsets.low = memory.offsets.low;
  if (*high > 0)
    piece.offsets.high = memory.offsets.high;
  piece.bytes = evolution_.getUMaxExpr(piece.bytes, memory.bytes);
  return true;
}

bool OverlapChecks::add(const LoadInst &load, Pieces &pieces, std::size_t most) {
  const Extent memory = extent(load);
  if (any_of(pieces, [&](Extent &piece) { return widen(piece, memory); }))
    return true;
  if (pieces.size() >= most)
    return false;
  pieces.push_back(memory);
  return true;
}

// --- the check -------------------------------------------------------------------------------------------------------

Instruction *OverlapChecks::place(ArrayRef<const Instruction *> accesses) const {
  const BasicBlock *common = nullptr;
  for (const Instruction *access : accesses) {
    const Loop *loop = loops_.getLoopFor(access->getParent());
    if (!loop)
      return nullptr;
    const BasicBlock *before = loop->getOutermostLoop()->getLoopPreheader();
    common = common ? dominators_.findNearestCommonDominator(common, before) : before;
  }
  while (common && loops_.getLoopFor(common))
    common = dominators_.getNode(common)->getIDom()->getBlock();
  return common ? const_cast<Instruction *>(common->getTerminator()) : nullptr;
}

bool OverlapChecks::may_differ(const LoadInst &load, const Instruction &store) {
  const Extent read = extent(load), written = extent(store);
  return read.offsets.low && written.offsets.low && written.bytes && read.base != written.base;
}

bool OverlapChecks::is_known_at(const Instruction &access, const Instruction &place) {
  const Extent memory = extent(access);
  const SCEVExpander expander(evolution_, "bounds");
  return all_of(ArrayRef{memory.base, memory.offsets.low, memory.offsets.high, memory.bytes},
                [&](const SCEV *value) { return expander.isSafeToExpandAt(value, &place); });
}

bool OverlapChecks::join(Group &group, const LoadInst &load, const Instruction &store, std::size_t most) {
  SmallVector<const Instruction *, 8> accesses{ArrayRef(group.loads)};
  accesses.append({&load, &store});
  const Instruction *where = place(accesses);
  if (!where || isa<InvokeInst>(where) || !may_differ(load, store) || !is_known_at(load, *where))
    return false;
  const auto is_known = [&](const Instruction *access) { return is_known_at(*access, *where); };
  if (where != group.place && !(is_known(&store) && all_of(group.loads, is_known)))
    return false;
  if (!add(load, group.pieces, most))
    return false;
  group.place = where;
  group.loads.push_back(&load);
  return true;
}

OverlapCheck OverlapChecks::describe(const Instruction &store, ArrayRef<const LoadInst *> loads) {
  SmallVector<const Instruction *, 8> accesses(loads);
  accesses.push_back(&store);
  OverlapCheck check;
  check.place = place(accesses);
  check.written = extent(store);
  for (const LoadInst *load : loads)
    add(*load, check.read, loads.size());
  return check;
}

static void print_extent(raw_ostream &out, const MemoryExtent &memory) {
  out << *memory.base << " + [" << *memory.offsets.low << ", " << *memory.offsets.high << " + " << *memory.bytes << ")";
}

void OverlapCheck::print(raw_ostream &out) const {
  print_extent(out, written);
  out << " against ";
  interleave(read, [&](const MemoryExtent &memory) { print_extent(out, memory); }, [&] { out << ", "; });
  out << ", before the end of " << name_of(*place->getParent()) << (is_kept ? ", kept" : "");
}

} // namespace assay::engine
