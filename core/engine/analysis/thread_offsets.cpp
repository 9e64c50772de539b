#include "core/engine/analysis/thread_offsets.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {

unsigned ThreadTerm::count(Symbol symbol) const {
  return llvm::count_if(factors, [&](const auto &factor) { return factor.first == symbol; });
}

ThreadTerm ThreadTerm::without(Symbol symbol) const {
  ThreadTerm rest = *this;
  rest.factors.erase(find_if(rest.factors, [&](const auto &factor) { return factor.first == symbol; }));
  return rest;
}

ThreadOffset ThreadOffset::symbol(Symbol symbol, const Value *value) {
  ThreadOffset offset;
  offset.add({1, {{symbol, value}}});
  return offset;
}

void ThreadOffset::add(ThreadTerm term) {
  llvm::sort(term.factors);
  auto *place =
      llvm::lower_bound(terms_, term, [](const ThreadTerm &a, const ThreadTerm &b) { return a.factors < b.factors; });
  if (place == terms_.end() || place->factors != term.factors) {
    if (term.number != 0)
      terms_.insert(place, std::move(term));
    return;
  }
  place->number += term.number;
  if (place->number == 0)
    terms_.erase(place);
}

void ThreadOffset::add(const ThreadOffset &other, std::int64_t factor) {
  for (ThreadTerm term : other.terms_) {
    term.number *= factor;
    add(std::move(term));
  }
}

ThreadOffset ThreadOffset::times(const ThreadOffset &other) const {
  ThreadOffset product;
  for (const ThreadTerm &a : terms_)
    for (const ThreadTerm &b : other.terms_) {
      ThreadTerm term{a.number * b.number, a.factors};
      term.factors.append(b.factors.begin(), b.factors.end());
      product.add(std::move(term));
    }
  return product;
}

std::int64_t ThreadOffset::constant() const {
  return !terms_.empty() && terms_.front().factors.empty() ? terms_.front().number : 0;
}

bool ThreadOffset::is_constant() const {
  return terms_.empty() || (terms_.size() == 1 && terms_.front().factors.empty());
}

bool ThreadOffset::has(Symbol symbol) const {
  return any_of(terms_, [&](const ThreadTerm &term) { return term.count(symbol) != 0; });
}

bool operator==(const ThreadOffset &a, const ThreadOffset &b) {
  return equal(a.terms_, b.terms_,
               [](const ThreadTerm &x, const ThreadTerm &y) { return x.number == y.number && x.factors == y.factors; });
}

static Value *emit_symbol(IRBuilder<> &builder, Symbol symbol, const Value *value) {
  const auto special = [&](Intrinsic::ID id) {
    return builder.CreateZExt(builder.CreateIntrinsic(builder.getInt32Ty(), id, {}), builder.getInt64Ty());
  };
  switch (symbol) {
  case Symbol::thread:
    return special(Intrinsic::nvvm_read_ptx_sreg_tid_x);
  case Symbol::block:
    return special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  case Symbol::threads:
    return special(Intrinsic::nvvm_read_ptx_sreg_ntid_x);
  case Symbol::blocks:
    return special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
  case Symbol::argument:
    return builder.CreateSExtOrTrunc(const_cast<Value *>(value), builder.getInt64Ty());
  case Symbol::counter:
    break;
  }
  llvm_unreachable("a counter belongs to its loop");
}

Value *ThreadOffset::emit(IRBuilder<> &builder) const {
  Value *sum = builder.getInt64(0);
  for (const ThreadTerm &term : terms_) {
    Value *product = builder.getInt64(term.number);
    for (const auto &[symbol, value] : term.factors)
      product = builder.CreateMul(product, emit_symbol(builder, symbol, value));
    sum = builder.CreateAdd(sum, product);
  }
  return sum;
}

namespace {

/// More than sensible offsets have.
constexpr std::size_t most_terms = 12;
constexpr unsigned most_depth = 24;

std::optional<ThreadOffset> offset_of(const Value &integer, unsigned depth);

std::optional<ThreadOffset> of_call(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return ThreadOffset::symbol(Symbol::thread);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return ThreadOffset::symbol(Symbol::block);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return ThreadOffset::symbol(Symbol::threads);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return ThreadOffset::symbol(Symbol::blocks);
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return ThreadOffset(0);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return ThreadOffset(1);
  default:
    return std::nullopt;
  }
}

/// `start + step * counter`, where the phi itself stands for the counter, which is any number; or any number.
ThreadOffset of_counter(const PHINode &phi, unsigned depth) {
  const ThreadOffset any = ThreadOffset::symbol(Symbol::counter, &phi);
  for (unsigned index = 0; index < 2 && phi.getNumIncomingValues() == 2; ++index) {
    const Value *step = nullptr;
    if (!match(phi.getIncomingValue(index), m_c_Add(m_Specific(&phi), m_Value(step))))
      continue;
    std::optional<ThreadOffset> start = offset_of(*phi.getIncomingValue(1 - index), depth + 1);
    const std::optional<ThreadOffset> width = offset_of(*step, depth + 1);
    if (!start || !width || width->has(Symbol::counter) || width->has(Symbol::thread) || width->has(Symbol::block))
      break;
    start->add(width->times(any));
    return *start;
  }
  return any;
}

std::optional<ThreadOffset> of_operation(const Instruction &instruction, unsigned depth) {
  const Value *left = nullptr, *right = nullptr;
  const bool is_sum = match(&instruction, m_AddLike(m_Value(left), m_Value(right)));
  const bool is_difference = !is_sum && match(&instruction, m_Sub(m_Value(left), m_Value(right)));
  const bool is_product = !is_sum && !is_difference && match(&instruction, m_Mul(m_Value(left), m_Value(right)));
  const APInt *shift = nullptr;
  if (match(&instruction, m_Shl(m_Value(left), m_APInt(shift))) && shift->ult(40)) {
    const std::optional<ThreadOffset> shifted = offset_of(*left, depth + 1);
    return shifted ? std::optional(shifted->times(ThreadOffset(std::int64_t{1} << shift->getZExtValue())))
                   : std::nullopt;
  }
  if (!is_sum && !is_difference && !is_product)
    return std::nullopt;
  std::optional<ThreadOffset> a = offset_of(*left, depth + 1);
  const std::optional<ThreadOffset> b = a ? offset_of(*right, depth + 1) : std::nullopt;
  if (!b || a->terms().size() + b->terms().size() > most_terms)
    return std::nullopt;
  if (is_product)
    return a->times(*b);
  a->add(*b, is_sum ? 1 : -1);
  return a;
}

std::optional<ThreadOffset> offset_of(const Value &integer, unsigned depth) {
  if (depth > most_depth)
    return std::nullopt;
  if (const auto *constant = dyn_cast<ConstantInt>(&integer))
    return constant->getBitWidth() <= 64 ? std::optional(ThreadOffset(constant->getSExtValue())) : std::nullopt;
  if (isa<Argument>(integer))
    return integer.getType()->isIntegerTy(32) || integer.getType()->isIntegerTy(64)
               ? std::optional(ThreadOffset::symbol(Symbol::argument, &integer))
               : std::nullopt;
  if (const auto *cast = dyn_cast<CastInst>(&integer); cast && isa<SExtInst, ZExtInst, TruncInst>(cast)) {
    const unsigned bits = std::min(cast->getSrcTy()->getScalarSizeInBits(), cast->getDestTy()->getScalarSizeInBits());
    return bits >= 32 ? offset_of(*cast->getOperand(0), depth + 1) : std::nullopt;
  }
  if (const auto *freeze = dyn_cast<FreezeInst>(&integer))
    return offset_of(*freeze->getOperand(0), depth + 1);
  if (const auto *call = dyn_cast<CallBase>(&integer))
    return of_call(*call);
  if (const auto *phi = dyn_cast<PHINode>(&integer))
    return of_counter(*phi, depth);
  const auto *instruction = dyn_cast<Instruction>(&integer);
  return instruction ? of_operation(*instruction, depth) : std::nullopt;
}

} // namespace

std::optional<ThreadOffset> thread_offset(const Value &integer) {
  return offset_of(integer, 0);
}

ThreadAddress thread_address(const Value &pointer) {
  ThreadAddress address{&pointer, ThreadOffset()};
  for (;;) {
    address.base = address.base->stripPointerCasts();
    const auto *element = dyn_cast<GEPOperator>(address.base);
    if (!element)
      return address;
    address.base = element->getPointerOperand();
    const auto *instruction = dyn_cast<Instruction>(element);
    if (!instruction) {
      address.bytes.reset();
      continue;
    }
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!element->collectOffset(instruction->getDataLayout(), 64, variable, constant)) {
      address.bytes.reset();
      continue;
    }
    if (address.bytes)
      address.bytes->add({constant.getSExtValue(), {}});
    for (const auto &[index, scale] : variable) {
      const std::optional<ThreadOffset> offset = address.bytes ? thread_offset(*index) : std::nullopt;
      if (offset)
        address.bytes->add(*offset, scale.getSExtValue());
      else
        address.bytes.reset();
    }
  }
}

} // namespace assay::engine
