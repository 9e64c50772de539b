// Each class changes one instruction.

#include "core/jit/mutate/find_sites.hpp"
#include "core/jit/mutate/sites.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace assay::jit {

namespace {

std::string text_of(const Site &site) {
  std::string text;
  raw_string_ostream out(text);
  site.place->print(out);
  StringRef shown = StringRef(text).split(", !").first.trim();
  std::string result = shown.str();
  if (site.kind == FaultClass::wrong_operand || site.kind == FaultClass::tape_slot) {
    std::string other;
    raw_string_ostream name(other);
    site.other->printAsOperand(name, false);
    result += "  with " + other;
  } else if (site.kind == FaultClass::dropped_term) {
    result += site.operand == 0 ? "  without its first term" : "  without its second term";
  }
  return result;
}

unsigned line_of(const Instruction &instruction) {
  DebugLoc place = instruction.getDebugLoc();
  return place ? place.getLine() : 0;
}

void replace_by(Instruction &place, Value *other) {
  if (other == &place)
    return;
  place.replaceAllUsesWith(other);
}

void negate(Instruction &place) {
  IRBuilder<> builder(place.getParent(), std::next(place.getIterator()));
  auto *negative = builder.CreateFNeg(PoisonValue::get(place.getType()));
  auto *instruction = dyn_cast<Instruction>(negative);
  if (!instruction) { // folded: poison has no negation
    instruction = UnaryOperator::CreateFNeg(PoisonValue::get(place.getType()));
    builder.Insert(instruction);
  }
  place.replaceAllUsesWith(instruction);
  instruction->setOperand(0, &place);
}

void change_sign(Instruction &place) {
  if (place.getOpcode() != Instruction::FSub && place.getOpcode() != Instruction::FAdd)
    return negate(place);
  const auto opcode = place.getOpcode() == Instruction::FSub ? Instruction::FAdd : Instruction::FSub;
  auto *changed = BinaryOperator::Create(opcode, place.getOperand(0), place.getOperand(1), "", place.getIterator());
  changed->copyIRFlags(&place);
  replace_by(place, changed);
}

void remove_negation(Instruction &place) {
  replace_by(place, place.getOperand(0));
}

/// An address with the last index one lower, and the first iteration's own for the first.
void step_back(LoadInst &load) {
  IRBuilder<> builder(&load);
  auto *address = cast<GetElementPtrInst>(load.getPointerOperand());
  auto *stepped = cast<GetElementPtrInst>(address->clone());
  const unsigned last = address->getNumOperands() - 1;
  Value *index = address->getOperand(last);
  Value *zero = Constant::getNullValue(index->getType());
  Value *lower = builder.CreateSub(index, ConstantInt::get(index->getType(), 1));
  stepped->setOperand(last, builder.CreateSelect(builder.CreateICmpEQ(index, zero), zero, lower));
  builder.Insert(stepped);
  load.setOperand(0, stepped);
}

void lower_counter(LoadInst &counter) {
  IRBuilder<> builder(counter.getParent(), std::next(counter.getIterator()));
  auto *is_zero = cast<Instruction>(builder.CreateICmpEQ(&counter, builder.getInt64(0)));
  auto *lower = cast<Instruction>(builder.CreateSub(&counter, builder.getInt64(1)));
  Value *changed = builder.CreateSelect(is_zero, builder.getInt64(0), lower);
  counter.replaceUsesWithIf(changed,
                            [&](const Use &use) { return use.getUser() != is_zero && use.getUser() != lower; });
}

void change_iteration(Instruction &place) {
  auto *load = dyn_cast<LoadInst>(&place);
  if (!load)
    replace_by(place, place.getOperand(0)); // the position on a tape of records stays
  else if (load->getPointerOperand()->getName().starts_with("iteration"))
    lower_counter(*load);
  else
    step_back(*load);
}

void transpose(GetElementPtrInst &address) {
  using namespace PatternMatch;
  IRBuilder<> builder(&address);
  auto *changed = cast<GetElementPtrInst>(address.clone());
  changed->setIsInBounds(false);
  const unsigned last = address.getNumOperands() - 1;
  Value *index = address.getOperand(last), *narrow = index;
  if (match(index, m_ZExtOrSExt(m_Value(narrow))))
    index = narrow;
  Instruction *scaled = nullptr;
  Value *column = nullptr;
  const auto product =
      m_CombineAnd(m_Instruction(scaled), m_CombineOr(m_Mul(m_Value(), m_Value()), m_Shl(m_Value(), m_Value())));
  if (match(index, m_c_Add(product, m_Value(column)))) {
    Value *row = scaled->getOperand(0);
    Value *swapped = scaled->getOpcode() == Instruction::Mul ? builder.CreateMul(column, scaled->getOperand(1))
                                                             : builder.CreateShl(column, scaled->getOperand(1));
    Value *sum = builder.CreateAdd(swapped, row);
    changed->setOperand(last, builder.CreateSExtOrTrunc(sum, address.getOperand(last)->getType()));
  } else {
    auto *before = cast<GetElementPtrInst>(address.getPointerOperand());
    auto *first = cast<GetElementPtrInst>(before->clone());
    first->setIsInBounds(false);
    first->setOperand(1, address.getOperand(1));
    builder.Insert(first);
    changed->setOperand(0, first);
    changed->setOperand(1, before->getOperand(1));
  }
  builder.Insert(changed);
  replace_by(address, changed);
}

void drop_result(Instruction &place) {
  if (!place.getType()->isVoidTy())
    replace_by(place, Constant::getNullValue(place.getType()));
  if (isa<CallInst>(place))
    place.eraseFromParent();
}

void apply(const Site &site) {
  Instruction &place = *site.place;
  switch (site.kind) {
  case FaultClass::sign:
  case FaultClass::primal_changed:
    return change_sign(place);
  case FaultClass::dropped_term:
  case FaultClass::overwritten_sum:
    return replace_by(place, place.getOperand(1 - site.operand));
  case FaultClass::wrong_operand:
  case FaultClass::tape_slot:
    return place.setOperand(site.operand, site.other);
  case FaultClass::transposed_index:
    return transpose(cast<GetElementPtrInst>(place));
  case FaultClass::conjugate:
    return remove_negation(place);
  case FaultClass::wrong_iteration:
    return change_iteration(place);
  case FaultClass::missing_zeroing:
  case FaultClass::argument_mutation:
    place.eraseFromParent();
    return;
  case FaultClass::callable:
    return drop_result(place);
  case FaultClass::constant:
    return;
  }
}

} // namespace

std::vector<Fault> faults_of(Function &written) {
  std::vector<Fault> faults;
  std::map<FaultClass, unsigned> counts;
  for (const Site &site : find_sites(written))
    faults.push_back({site.kind, written.getName().str(), counts[site.kind]++, line_of(*site.place), text_of(site)});
  return faults;
}

bool plant(Function &written, const Fault &fault) {
  if (written.getName() != fault.place)
    return false;
  unsigned number = 0;
  for (const Site &site : find_sites(written))
    if (site.kind == fault.kind && number++ == fault.number) {
      apply(site);
      return true;
    }
  return false;
}

} // namespace assay::jit
