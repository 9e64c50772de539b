#include "core/engine/plan/independence.hpp"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include <numeric>

using namespace llvm;

namespace assay::engine {
namespace {

using Side = Inequalities::Side;

/// `to` can run after `from` without a new iteration of `loop`.
bool follows_in_iteration(const Instruction &from, const Instruction &to, const Loop *loop) {
  if (from.getParent() == to.getParent())
    return from.comesBefore(&to) || !loop;
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 8> pending{from.getParent()};
  while (!pending.empty())
    for (const BasicBlock *next : successors(pending.pop_back_val())) {
      if ((loop && next == loop->getHeader()) || !seen.insert(next).second)
        continue;
      if (next == to.getParent())
        return true;
      pending.push_back(next);
    }
  return false;
}

/// The condition under which the latch goes back to the header, as `in_loop predicate outside`.
struct Continuation {
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  const Value *in_loop = nullptr, *outside = nullptr;
};

std::optional<Continuation> continuation_of(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  const auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  const auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return std::nullopt;
  Continuation result{compare->getPredicate(), compare->getOperand(0), compare->getOperand(1)};
  if (compare->hasSameSign())
    result.predicate = ICmpInst::getSignedPredicate(result.predicate);
  if (branch->getSuccessor(0) != loop.getHeader())
    result.predicate = CmpInst::getInversePredicate(result.predicate);
  if (loop.isLoopInvariant(result.in_loop)) {
    std::swap(result.in_loop, result.outside);
    result.predicate = CmpInst::getSwappedPredicate(result.predicate);
  }
  return loop.isLoopInvariant(result.outside) ? std::optional(result) : std::nullopt;
}

} // namespace

// --- bounds ----------------------------------------------------------------------------------------------------------

/// For a value x = x0 + counter (or x0 - counter) with: goes on while x < end (x > end, x != end), where x0 before the
/// first iteration is known to be on that side as well.
std::optional<IndexForm> Independence::find_bound(const Loop &loop) {
  const std::optional<Continuation> condition = continuation_of(loop);
  if (!condition)
    return std::nullopt;
  IndexForm start = forms_.of(*condition->in_loop);
  const std::int64_t step = start.linear.lookup(&loop);
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Value *>(condition->in_loop)));
  if ((step != 1 && step != -1) || !start.is_linear() || !recurrence || recurrence->getLoop() != &loop ||
      !recurrence->isAffine())
    return std::nullopt;
  start.linear.erase(&loop);
  const bool ascends = step == 1;
  const CmpInst::Predicate strict = ascends ? CmpInst::ICMP_SLT : CmpInst::ICMP_SGT;
  const CmpInst::Predicate weak = CmpInst::getNonStrictPredicate(strict);
  CmpInst::Predicate kept = condition->predicate == CmpInst::ICMP_NE ? strict : condition->predicate;
  if (kept != strict && kept != weak)
    return std::nullopt;
  const SCEV *before = evolution_.getMinusSCEV(recurrence->getStart(), recurrence->getStepRecurrence(evolution_));
  if (!evolution_.isLoopEntryGuardedByCond(&loop, kept, before,
                                           evolution_.getSCEV(const_cast<Value *>(condition->outside))))
    return std::nullopt;
  // x0 + counter - 1 < end, or x0 - counter + 1 > end.
  IndexForm bound;
  bound.add(forms_.of(*condition->outside), step);
  bound.add(start, -step);
  bound.constant += kept == weak ? 1 : 0;
  return bound;
}

const std::optional<IndexForm> &Independence::bound_of(const Loop &loop) {
  auto found = bounds_.find(&loop);
  if (found == bounds_.end())
    found = bounds_.try_emplace(&loop, find_bound(loop)).first;
  return found->second;
}

// --- rows and columns ------------------------------------------------------------------------------------------------

IndexForm Independence::Length::form() const {
  IndexForm form;
  if (value)
    form.linear[*value] = factor;
  else
    form.constant = factor;
  return form;
}

std::optional<Independence::Subscripts> Independence::split(const IndexForm &offset, const Length &length) {
  Subscripts result;
  if (!length.value) {
    if (!offset.is_linear())
      return std::nullopt;
    result.column.constant = offset.constant;
    for (const auto &[atom, factor] : offset.linear) {
      const bool whole = factor % length.factor == 0;
      (whole ? result.row : result.column).linear[atom] = whole ? factor / length.factor : factor;
    }
    return result;
  }
  result.column.constant = offset.constant;
  for (const auto &[atoms, factor] : offset.products) {
    if ((atoms.first != *length.value && atoms.second != *length.value) || factor % length.factor != 0)
      return std::nullopt;
    result.row.linear[atoms.first == *length.value ? atoms.second : atoms.first] += factor / length.factor;
  }
  for (const auto &[atom, factor] : offset.linear) {
    if (atom == *length.value && factor % length.factor == 0)
      result.row.constant = factor / length.factor;
    else
      result.column.linear[atom] = factor;
  }
  return result;
}

SmallVector<Independence::Length, 4> Independence::possible_lengths(const Access &load, const Access &store) const {
  constexpr unsigned most = 4;
  SmallVector<Length, 4> lengths;
  const auto consider = [&](Length length) {
    const bool known = any_of(
        lengths, [&](const Length &other) { return other.value == length.value && other.factor == length.factor; });
    if (!known && lengths.size() < most && length.factor > 0)
      lengths.push_back(length);
  };
  for (const IndexForm *offset : {&load.offset, &store.offset}) {
    for (const auto &[atoms, factor] : offset->products)
      for (Atom atom : {atoms.first, atoms.second})
        if (!forms_.home(atom))
          consider({atom, load.bytes});
    if (offset->is_linear())
      for (const auto &[atom, factor] : offset->linear)
        if (std::abs(factor) > load.bytes)
          consider({std::nullopt, std::abs(factor)});
  }
  return lengths;
}

/// The column lies in 0 ... length - bytes.
bool Independence::stays_in_row(const Access &access, const IndexForm &column, const Length &length) {
  const auto bounds = [&](const Loop &loop) -> const std::optional<IndexForm> & { return bound_of(loop); };
  Inequalities below(forms_, {}), beyond(forms_, {});
  below.require({{column, access.side, -1}}, -1);
  const IndexForm end = length.form();
  beyond.require({{column, access.side}, {end, access.side, -1}}, access.bytes - 1);
  return below.contradict(bounds) && beyond.contradict(bounds);
}

bool Independence::differ_in_rows(const Access &load, const Access &store, const Length &length,
                                  Inequalities question) {
  const std::optional<Subscripts> read = split(load.offset, length), written = split(store.offset, length);
  if (!read || !written || !stays_in_row(load, read->column, length) || !stays_in_row(store, written->column, length))
    return false;
  question.require({{read->row, Side::load}, {written->row, Side::store, -1}}, 0);
  question.require({{read->row, Side::load, -1}, {written->row, Side::store}}, 0);
  question.require({{read->column, Side::load}, {written->column, Side::store, -1}}, load.bytes - 1);
  question.require({{read->column, Side::load, -1}, {written->column, Side::store}}, store.bytes - 1);
  return question.contradict([&](const Loop &loop) -> const std::optional<IndexForm> & { return bound_of(loop); });
}

bool Independence::differ(const Access &load, const Access &store, ArrayRef<const Loop *> equal,
                          std::optional<std::pair<const Loop *, Side>> later) {
  Inequalities question(forms_, equal);
  if (later)
    question.require_later(*later->first, later->second);
  for (const auto &[read, written] : zip_equal(load.places, store.places))
    if (!require_same_row(read, written, question))
      return false;
  const auto bounds = [&](const Loop &loop) -> const std::optional<IndexForm> & { return bound_of(loop); };
  if (!load.places.empty() && Inequalities(question).contradict(bounds))
    return true;
  if (load.offset.is_linear() && store.offset.is_linear()) {
    Inequalities flat = question;
    flat.require({{load.offset, Side::load}, {store.offset, Side::store, -1}}, load.bytes - 1);
    flat.require({{load.offset, Side::load, -1}, {store.offset, Side::store}}, store.bytes - 1);
    if (flat.contradict(bounds))
      return true;
  }
  return any_of(possible_lengths(load, store),
                [&](const Length &length) { return differ_in_rows(load, store, length, question); });
}

// --- the two questions -----------------------------------------------------------------------------------------------

Independence::Loops Independence::common_loops(const Instruction &a, const Instruction &b) const {
  Loops common;
  for (const Loop *loop = loops_.getLoopFor(a.getParent()); loop; loop = loop->getParentLoop())
    if (loop->contains(b.getParent()))
      common.insert(common.begin(), loop);
  return common;
}

// --- rows that stand in tables ---------------------------------------------------------------------------------------

std::optional<Independence::Access> Independence::access(const Instruction &instruction, Side side) {
  const DataLayout &layout = instruction.getDataLayout();
  const std::optional<IndexForms::Address> address =
      forms_.of_address(*getLoadStorePointerOperand(&instruction), layout);
  if (!address)
    return std::nullopt;
  const auto bytes = std::int64_t(layout.getTypeStoreSize(getLoadStoreType(&instruction)).getKnownMinValue());
  return Access{address->base, address->bytes, bytes, side};
}

/// The base is a row's address: from here on it is the table's, and the place of the row is noted. Later loads from the
/// same place give the same address.
bool Independence::find_place(Access &access, const DataLayout &layout) {
  const RowAddress *row = tables_.find(*access.base);
  if (!row || !row->is_final)
    return false;
  const std::optional<IndexForms::Address> place = forms_.of_address(*row->load->getPointerOperand(), layout);
  if (!place)
    return false;
  access.places.push_back({place->bytes, row->rows->span});
  access.base = place->base;
  return true;
}

/// In other rows they do not meet. False where places that differ may hold addresses of one row.
bool Independence::require_same_row(const Place &read, const Place &written, Inequalities &question) {
  if (!read.offset.is_linear() || !written.offset.is_linear())
    return false;
  std::int64_t length = read.offset.constant - written.offset.constant;
  for (const IndexForm *offset : {&read.offset, &written.offset})
    for (const auto &[atom, factor] : offset->linear)
      length = std::gcd(length, factor);
  if (length == 0)
    return true;
  if (std::abs(length) <= read.span)
    return false;
  question.require({{read.offset, Side::load}, {written.offset, Side::store, -1}}, 0);
  question.require({{read.offset, Side::load, -1}, {written.offset, Side::store}}, 0);
  return true;
}

/// Both in one array, of which the sweep knows one address, or in rows of one table of which it does.
std::optional<std::pair<Independence::Access, Independence::Access>> Independence::accesses(const Instruction &store,
                                                                                            const Instruction &load) {
  constexpr unsigned most_questions = 1000; // in one function
  if (!loops_.getLoopFor(load.getParent()) || ++asked_ > most_questions)
    return std::nullopt;
  std::optional<Access> read = access(load, Side::load), written = access(store, Side::store);
  if (!read || !written)
    return std::nullopt;
  const DataLayout &layout = load.getDataLayout();
  while (read->base != written->base || forms_.home(read->base))
    if (!find_place(*read, layout) || !find_place(*written, layout))
      return std::nullopt;
  return std::pair(std::move(*read), std::move(*written));
}

bool Independence::never_overwrites(const StoreInst &store, const LoadInst &load) {
  if (tables_.are_apart(*store.getPointerOperand(), *load.getPointerOperand()))
    return true;
  const auto both = accesses(store, load);
  if (!both)
    return false;
  const Loops common = common_loops(load, store);
  for (unsigned equal = 0; equal < common.size(); ++equal)
    if (!differ(both->first, both->second, ArrayRef(common).take_front(equal), std::pair(common[equal], Side::store)))
      return false;
  return !follows_in_iteration(load, store, common.empty() ? nullptr : common.back()) ||
         differ(both->first, both->second, common, std::nullopt);
}

bool Independence::never_meet(const StoreInst &store, const LoadInst &load, const Loop &loop) {
  if (tables_.are_apart(*store.getPointerOperand(), *load.getPointerOperand()))
    return true;
  const auto both = accesses(store, load);
  if (!both)
    return false;
  const Loops common = common_loops(load, store);
  for (unsigned equal = find(common, &loop) - common.begin(); equal < common.size(); ++equal)
    for (const Side later : {Side::load, Side::store})
      if (!differ(both->first, both->second, ArrayRef(common).take_front(equal), std::pair(common[equal], later)))
        return false;
  return differ(both->first, both->second, common, std::nullopt);
}

bool Independence::never_meet_elsewhere(const Instruction &one, const Instruction &other, const Loop &loop) {
  if (tables_.are_apart(*getLoadStorePointerOperand(&one), *getLoadStorePointerOperand(&other)))
    return true;
  const auto both = accesses(one, other);
  if (!both)
    return false;
  const Loops common = common_loops(one, other);
  const auto outer = ArrayRef(common).take_front(find(common, &loop) - common.begin());
  return all_of(ArrayRef{Side::load, Side::store},
                [&](Side later) { return differ(both->first, both->second, outer, std::pair(&loop, later)); });
}

} // namespace assay::engine
