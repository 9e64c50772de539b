#include "core/engine/analysis/lone_pieces.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr auto float_bytes = static_cast<std::int64_t>(word_bytes);

std::int64_t size_of(const Instruction &instruction, Type *type) {
  return static_cast<std::int64_t>(instruction.getDataLayout().getTypeStoreSize(type).getFixedValue());
}

/// What a function writes at constant distances from a base.
class Writes {
public:
  explicit Writes(const Value &base) : known_(is_fixed(base)) { visit(base, 0); }

  /// Also where it is not known what is written.
  bool may_cover(std::int64_t byte) const {
    return !known_ || any_of(written_, [&](const auto &range) { return range.first <= byte && byte < range.second; });
  }

private:
  /// Where a loop counts in addresses, the bytes beside one may be those of another iteration.
  static bool is_fixed(const Value &base) { return !isa<PHINode, SelectInst, GEPOperator, IntToPtrInst>(base); }

  void visit(const Value &pointer, std::int64_t offset) {
    for (const Use &use : pointer.uses())
      if (const auto *instruction = dyn_cast<Instruction>(use.getUser()); instruction && known_)
        visit_use(*instruction, use.getOperandNo(), offset);
  }

  void visit_use(const Instruction &instruction, unsigned operand, std::int64_t offset) {
    if (const auto *element = dyn_cast<GetElementPtrInst>(&instruction)) {
      const DataLayout &layout = instruction.getDataLayout();
      APInt distance(layout.getIndexTypeSizeInBits(element->getType()), 0);
      known_ = element->accumulateConstantOffset(layout, distance);
      if (known_)
        visit(instruction, offset + distance.getSExtValue());
    } else if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (operand == StoreInst::getPointerOperandIndex())
        written_.emplace_back(offset, offset + size_of(*store, store->getValueOperand()->getType()));
    } else if (const auto *transfer = dyn_cast<MemTransferInst>(&instruction)) {
      if (operand == 0)
        write(offset, *transfer->getLength());
    } else if (isa<PHINode, SelectInst>(instruction)) {
      known_ = false;
    }
  }

  void write(std::int64_t offset, const Value &length) {
    if (const auto *constant = dyn_cast<ConstantInt>(&length))
      written_.emplace_back(offset, offset + constant->getSExtValue());
    else
      known_ = false;
  }

  SmallVector<std::pair<std::int64_t, std::int64_t>, 8> written_; ///< From the first byte to behind the last.
  bool known_;
};

bool may_complete_float(const StoreInst &store, function_ref<bool(std::int64_t)> is_other) {
  const DataLayout &layout = store.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(store.getPointerOperandType()), 0);
  const Writes writes(*store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
  const std::int64_t size = size_of(store, store.getValueOperand()->getType());
  return any_of(seq_inclusive<std::int64_t>(size - float_bytes, 0), [&](std::int64_t begin) {
    return all_of(seq(begin, begin + float_bytes), [&](std::int64_t distance) {
      return !is_other(distance) && writes.may_cover(offset.getSExtValue() + distance);
    });
  });
}

} // namespace

bool is_lone_piece(const Value &value, function_ref<bool(std::int64_t distance)> is_other) {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load || !load->getType()->isIntegerTy() || load->getType()->getIntegerBitWidth() >= word_bits)
    return false;
  return all_of(load->users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store && store->getValueOperand() == load && !may_complete_float(*store, is_other);
  });
}

bool converts_upper_half(const Instruction &instruction) {
  using namespace PatternMatch;
  constexpr unsigned half_bits = word_bits / 2;
  const auto is_half_word = [](const Value &number) { return number.getType()->getScalarSizeInBits() == half_bits; };
  const Value *word = nullptr;
  if (match(&instruction, m_Shl(m_ZExt(m_Value(word)), m_SpecificInt(half_bits))))
    return is_half_word(*word);
  return match(&instruction, m_Trunc(m_LShr(m_Value(word), m_SpecificInt(half_bits)))) && is_half_word(instruction);
}

} // namespace assay::engine
