#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace assay::engine {
namespace {

constexpr unsigned arithmetic_depth = 6;

/// Shift by a whole number of words, as that number.
std::optional<unsigned> shifted_words(const llvm::Value &amount) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&amount);
  if (constant == nullptr || constant->getValue().urem(word_bits) != 0)
    return std::nullopt;
  return static_cast<unsigned>(constant->getZExtValue() / word_bits);
}

/// Constants move no pointer or float that matters, but arithmetic with one says integer: `x | 1`.
bool is_nonzero_constant(const llvm::Value &value) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant != nullptr && !constant->isZero();
}

Rank rank_of_use(const llvm::Use &use) {
  return llvm::isa<llvm::BitCastOperator, llvm::IntToPtrInst, llvm::GEPOperator>(use.getUser()) ? Rank::access
                                                                                                : Rank::hint;
}

/// Fewer bits than a byte has are a flag or a tag beside what is moved.
bool is_word_mask(const llvm::Value &value) {
  constexpr unsigned byte_bits = 8;
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant != nullptr && constant->getValue().isShiftedMask() && constant->getValue().popcount() >= byte_bits;
}

/// What an operation says of an integer operand. Arithmetic and comparisons are only a hint: programs also compute with
/// the bits of floats.
BasicType type_by_use(const llvm::Use &use) {
  const auto *user = llvm::dyn_cast<llvm::Operator>(use.getUser());
  if (user == nullptr)
    return {};
  switch (user->getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
  case llvm::Instruction::AShr:
  case llvm::Instruction::ICmp:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SExt:
  case llvm::Instruction::Switch:
    return integer_type();
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
    return use.getOperandNo() == 1 || !shifted_words(*user->getOperand(1)) ? integer_type() : BasicType{};
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return is_nonzero_constant(*user->getOperand(1)) ? integer_type() : BasicType{};
  case llvm::Instruction::And:
    return is_word_mask(*user->getOperand(1)) ? BasicType{} : integer_type();
  case llvm::Instruction::GetElementPtr:
    return use.getOperandNo() > 0 ? integer_type() : BasicType{};
  case llvm::Instruction::IntToPtr:
    return pointer_type();
  case llvm::Instruction::BitCast:
    return user->getType()->isFPOrFPVectorTy() ? basic_type(user->getType()->getScalarType()) : BasicType{};
  default:
    return {};
  }
}

/// The result of arithmetic rather than moved bits.
bool is_computed(const llvm::Value &value) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr)
    return false;
  switch (operation->getOpcode()) {
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
    return !shifted_words(*operation->getOperand(1));
  case llvm::Instruction::And:
    return !is_word_mask(*operation->getOperand(1));
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return is_nonzero_constant(*operation->getOperand(1));
  default:
    return true;
  }
}

/// Bits that are compared and computed with, here or where they are chosen: they get to no memory and become nothing
/// else.
bool is_only_computed_with(const llvm::Value &value, unsigned depth = 4) {
  return llvm::all_of(value.uses(), [&](const llvm::Use &use) {
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(use.getUser()) && use->getType() == use.getUser()->getType())
      return depth > 0 && is_only_computed_with(*use.getUser(), depth - 1);
    return type_by_use(use).kind == ByteKind::integer;
  });
}

/// A choice between bits as they are and bits that were computed from them, as keys are that order floats like
/// integers. It says nothing of what the former are.
bool chooses_key(const llvm::Instruction &choice, llvm::ArrayRef<const llvm::Value *> choices) {
  const auto is_key_of_other = [&](const llvm::Value *value) {
    return is_computed(*value) &&
           llvm::any_of(llvm::cast<llvm::BinaryOperator>(value)->operands(), [&](const llvm::Use &of) {
             return !llvm::isa<llvm::Constant>(of) && llvm::is_contained(choices, of.get());
           });
  };
  return llvm::any_of(choices, is_key_of_other) && is_only_computed_with(choice);
}

} // namespace

unsigned IntegerProvenance::word_count(const llvm::Value &value) const {
  llvm::TypeSize size = layout_.getTypeStoreSize(value.getType());
  if (size.isScalable())
    return 1;
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (size.getFixedValue() + word_bytes - 1) / word_bytes));
}

unsigned IntegerProvenance::first_word(FramedValue value) const {
  const auto [first, inserted] = first_.try_emplace(value, static_cast<unsigned>(parent_.size()));
  if (inserted)
    for (unsigned index = 0, count = word_count(*value.second); index < count; ++index) {
      parent_.push_back(static_cast<unsigned>(parent_.size()));
      evidence_.emplace_back();
      version_.push_back(0);
      moved_.push_back(false);
    }
  return first;
}

unsigned IntegerProvenance::leader(unsigned word) const {
  while (parent_[word] != word) {
    parent_[word] = parent_[parent_[word]];
    word = parent_[word];
  }
  return word;
}

const Evidence &IntegerProvenance::word(FramedValue value, unsigned index) const {
  return evidence_[leader(first_word(value) + index)];
}

Evidence IntegerProvenance::own_word(unsigned word) const {
  const unsigned own = leader(word);
  return own < own_.size() ? own_[own] : Evidence{};
}

Evidence IntegerProvenance::fitting(FramedValue value, const Evidence &evidence) const {
  const std::uint64_t bytes = layout_.getTypeStoreSize(value.second->getType()).getKnownMinValue();
  return bytes < word_bytes ? evidence : evidence.fitting(bytes);
}

bool IntegerProvenance::is_half_address(FramedValue value, unsigned index) const {
  const Evidence &known = word(value, index);
  return known.mentions_pointers() && fitting(value, known).empty();
}

BasicType IntegerProvenance::type_of_word(FramedValue value, unsigned index, llvm::LLVMContext &context) const {
  const unsigned word = leader(first_word(value) + index);
  if (is_half_address(value, index))
    return pointer_type();
  const Evidence own = fitting(value, own_word(word));
  const BasicType used_as = own.only(Rank::access).resolve(context);
  if (used_as.kind != ByteKind::unknown)
    return used_as;
  if (const auto found = possible_addresses_.find(word); found != possible_addresses_.end())
    return found->second ? BasicType{} : pointer_type();
  const BasicType seen_as = fitting(value, evidence_[word]).resolve(context);
  // The numbers of one object may lie where another has its addresses: a place where both were seen tells of both.
  const bool is_doubtful = (seen_as.kind == ByteKind::integer && doubtful_.contains(word)) || mixed_.contains(word);
  return seen_as.kind == ByteKind::unknown || is_doubtful ? own.resolve(context) : seen_as;
}

bool IntegerProvenance::add(unsigned word, Evidence evidence) {
  const unsigned one = leader(word);
  const bool changed = evidence_[one].merge(evidence);
  version_[one] += changed ? 1 : 0;
  return changed;
}

void IntegerProvenance::mark_moved(FramedValue value) {
  for (unsigned index = 0; index < word_count(*value.second); ++index)
    moved_[leader(first_word(value) + index)] = true;
}

bool IntegerProvenance::is_moved(FramedValue value) const {
  unsigned first = first_word(value);
  for (unsigned index = 0; index < word_count(*value.second); ++index)
    if (moved_[leader(first + index)])
      return true;
  return false;
}

void IntegerProvenance::join(FramedValue one, unsigned one_index, FramedValue other, unsigned other_index) {
  if (llvm::isa<llvm::Constant>(one.second) || llvm::isa<llvm::Constant>(other.second))
    return;
  unsigned first = leader(first_word(one) + one_index), second = leader(first_word(other) + other_index);
  if (first == second)
    return;
  parent_[second] = first;
  evidence_[first].merge(evidence_[second]);
  moved_[first] = moved_[first] || moved_[second];
}

void IntegerProvenance::same(FramedValue one, FramedValue other) {
  if (!holds_integers(*one.second) || !holds_integers(*other.second))
    return;
  for (unsigned index = 0; index < std::min(word_count(*one.second), word_count(*other.second)); ++index)
    join(one, index, other, index);
}

/// Word i of `narrow` is word i + shift of `wide`.
void IntegerProvenance::join_shifted(FramedValue narrow, FramedValue wide, unsigned shift) {
  for (unsigned index = 0; index < word_count(*narrow.second) && index + shift < word_count(*wide.second); ++index)
    join(narrow, index, wide, index + shift);
}

void IntegerProvenance::add_all(FramedValue value, BasicType type, Rank rank) {
  if (type.kind == ByteKind::unknown)
    return;
  unsigned step = type.kind == ByteKind::integer
                      ? 1
                      : static_cast<unsigned>(std::max<std::uint64_t>(1, byte_size(type, layout_) / word_bytes));
  for (unsigned index = 0; index < word_count(*value.second); index += step)
    add(value, index, Evidence::of(type, rank));
}

/// Floats are made of `integer`: what it is computed from, without moving its bits, probably are the bits of one too.
void IntegerProvenance::hint_floating(FrameId frame, const llvm::Value &integer, BasicType type, unsigned depth) {
  if (integer.getType()->getScalarSizeInBits() != type.floating->getScalarSizeInBits() || depth == 0)
    return;
  if (llvm::isa<llvm::LoadInst, llvm::Argument>(integer))
    add_all({frame, &integer}, type, Rank::layout);
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&integer);
  if (operation == nullptr || operation->getOpcode() == llvm::Instruction::Mul ||
      operation->getOpcode() == llvm::Instruction::Shl)
    return;
  if (operation->isShift() && !llvm::PatternMatch::match(operation->getOperand(1), llvm::PatternMatch::m_One()))
    return;
  for (const llvm::Use &operand : operation->operands())
    hint_floating(frame, *operand, type, depth - 1);
}

void IntegerProvenance::add_whole(FramedValue value, BasicType type) {
  const std::uint64_t size = layout_.getTypeStoreSize(value.second->getType()).getFixedValue();
  const bool is_whole = type.kind == ByteKind::floating || type.kind == ByteKind::pointer;
  if (is_whole && byte_size(type, layout_) == size)
    add_all(value, type);
}

void IntegerProvenance::visit_uses(FrameId frame, const llvm::Value &value) {
  if (memory_.is_address(value, frame))
    return; // Differences, comparisons and tags of addresses are integers, the address is none.
  for (const llvm::Use &use : value.uses()) {
    if (llvm::isa<llvm::BinaryOperator>(use.getUser()) && memory_.is_only_address(use, frame)) {
      add_all({frame, &value}, pointer_type());
      continue;
    }
    BasicType type = type_by_use(use);
    add_all({frame, &value}, type, rank_of_use(use));
    if (type.kind == ByteKind::floating && llvm::isa<llvm::BinaryOperator>(value))
      hint_floating(frame, value, type, arithmetic_depth);
  }
}

void IntegerProvenance::visit(FrameId frame, const llvm::Value &value) {
  if (!holds_integers(value))
    return;
  visit_uses(frame, value);
  if (llvm::isa<llvm::Argument>(value) && memory_.is_address(value, frame))
    add_all({frame, &value}, pointer_type());
  if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value))
    visit_definition(frame, *instruction);
}

void IntegerProvenance::visit_choice(FrameId frame, const llvm::Instruction &choice) {
  const unsigned first = llvm::isa<llvm::SelectInst>(choice) ? 1 : 0;
  llvm::SmallVector<const llvm::Value *, 4> choices;
  for (unsigned index = first; index < choice.getNumOperands(); ++index)
    choices.push_back(choice.getOperand(index));
  const bool is_key = chooses_key(choice, choices);
  for (const llvm::Value *chosen : choices)
    if (!is_key)
      same({frame, &choice}, framed(frame, *chosen));
    else if (!llvm::isa<llvm::Constant>(chosen))
      add_all({frame, chosen}, integer_type(), Rank::hint);
  if (is_key)
    add_all({frame, &choice}, integer_type());
}

void IntegerProvenance::visit_definition(FrameId frame, const llvm::Instruction &instruction) {
  FramedValue result{frame, &instruction};
  const bool is_address = memory_.is_address(instruction, frame);
  if (is_address)
    add_all(result, pointer_type());
  if (is_address && llvm::isa<llvm::BinaryOperator, llvm::PtrToIntInst, llvm::PtrToAddrInst>(instruction))
    return;
  auto operand = [&](unsigned index) { return framed(frame, *instruction.getOperand(index)); };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Load:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
    return;
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
    visit_choice(frame, instruction);
    return;
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ExtractElement: {
    // Lanes are not told apart: all words at the same place of an element are one.
    unsigned step = std::max(1U, instruction.getType()->getScalarSizeInBits() / word_bits);
    for (unsigned index = step; index < word_count(instruction); ++index)
      join(result, index, result, index % step);
    unsigned sources = instruction.getOpcode() == llvm::Instruction::ExtractElement ? 1 : 2;
    for (unsigned source = 0; source < sources; ++source)
      for (unsigned index = 0; index < word_count(*instruction.getOperand(source)); ++index)
        join(result, index % step, operand(source), index);
    return;
  }
  case llvm::Instruction::BitCast:
    if (holds_integers(*instruction.getOperand(0)))
      same(result, operand(0));
    else
      add_all(result, basic_type(instruction.getOperand(0)->getType()->getScalarType()));
    return;
  case llvm::Instruction::Trunc:
    if (!instruction.getType()->isVectorTy())
      join_shifted(result, operand(0), 0);
    return;
  case llvm::Instruction::ZExt:
    if (!instruction.getType()->isVectorTy() && instruction.getOperand(0)->getType()->getIntegerBitWidth() >= 16)
      join_shifted(operand(0), result, 0);
    else
      add_all(result, integer_type());
    return;
  case llvm::Instruction::LShr:
    if (auto words = shifted_words(*instruction.getOperand(1)))
      join_shifted(result, operand(0), *words);
    else
      add_all(result, integer_type());
    return;
  case llvm::Instruction::Shl:
    if (auto words = shifted_words(*instruction.getOperand(1)))
      join_shifted(operand(0), result, *words);
    else
      add_all(result, integer_type());
    return;
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    if (is_nonzero_constant(*instruction.getOperand(1)) || is_computed(*instruction.getOperand(0)) ||
        is_computed(*instruction.getOperand(1))) {
      add_all(result, integer_type());
      return;
    }
    same(result, operand(0));
    same(result, operand(1));
    return;
  case llvm::Instruction::And:
    if (is_word_mask(*instruction.getOperand(1)) && !memory_.is_address(*instruction.getOperand(0), frame))
      same(result, operand(0));
    else
      add_all(result, integer_type());
    return;
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::PtrToAddr:
    add_all(result, pointer_type());
    return;
  default:
    add_all(result, integer_type());
    return;
  }
}

} // namespace assay::engine
