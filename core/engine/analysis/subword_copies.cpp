#include "core/engine/analysis/subword_copies.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
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

  /// Conservative: true where the writes are not known.
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

/// True of bytes that are copied without enough of the bytes beside them to be a part of a float that is copied in
/// parts: flags of a class that move in one word, for example. `is_other` tells the bytes at a distance from the first
/// that are known to be no part of a number.
bool is_incomplete_copy(const Value &value, function_ref<bool(std::int64_t distance)> is_other) {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load || !load->getType()->isIntegerTy() || load->getType()->getIntegerBitWidth() >= word_bits)
    return false;
  return all_of(load->users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store && store->getValueOperand() == load && !may_complete_float(*store, is_other);
  });
}

/// Integer arithmetic that rounds floats to numbers of 16 bits, or widens these.
bool converts_upper_half(const Instruction &instruction) {
  using namespace PatternMatch;
  constexpr unsigned half_bits = word_bits / 2;
  const auto is_half_word = [](const Value &number) { return number.getType()->getScalarSizeInBits() == half_bits; };
  const Value *word = nullptr;
  if (match(&instruction, m_Shl(m_ZExt(m_Value(word)), m_SpecificInt(half_bits))))
    return is_half_word(*word);
  return match(&instruction, m_Trunc(m_LShr(m_Value(word), m_SpecificInt(half_bits)))) && is_half_word(instruction);
}

} // namespace

SubwordCopies::SubwordCopies(const TypeAnalysis &types) : types_(types), memory_(types.implementation().memory) {
  note_half_precision();
}

void SubwordCopies::note_half_precision() {
  const auto is_half = [](const Instruction &instruction) {
    const Type *type = instruction.getType()->getScalarType();
    return type->isHalfTy() || type->isBFloatTy();
  };
  for (const Function *function : memory_.calls().functions()) {
    has_half_precision_ |= any_of(instructions(*function), is_half);
    converts_upper_halves_ |= any_of(instructions(*function), converts_upper_half);
  }
}

/// The case of one byte beside a copy of any length between the same places, as strings are copied: a single byte is no
/// number.
static bool is_copy_of_one_byte(const Value &value) {
  const auto *load = dyn_cast<LoadInst>(&value);
  return load != nullptr && all_of(load->users(), [&](const User *user) {
           const auto *store = dyn_cast<StoreInst>(user);
           return store != nullptr && any_of(load->getPointerOperand()->users(), [&](const User *other) {
                    const auto *copy = dyn_cast<MemTransferInst>(other);
                    return copy != nullptr && copy->getRawSource() == load->getPointerOperand() &&
                           copy->getRawDest() == store->getPointerOperand() && !isa<Constant>(copy->getLength());
                  });
         });
}

/// A byte that is only copied, from or to memory that holds one floating type or is not known at all: loops that copy
/// bytes move floats.
bool SubwordCopies::may_be_part_of_float(const Value &value, NodeId node, FrameId frame) const {
  if (!value.getType()->isIntegerTy(8) || isa<Constant>(value) || is_copy_of_one_byte(value))
    return false;
  const TypeCollector &types = types_.implementation().types;
  if (types.of_integer(value, frame).kind != ByteKind::unknown)
    return false;
  Evidence all = types.tree(node).everything(OffsetSet::anywhere());
  return all.empty() || all.resolve(value.getContext()).kind == ByteKind::floating;
}

/// A few bytes, in functions without half precision, that are no part of a float: padding, or what moves alone.
bool SubwordCopies::are_no_part_of_float(const Value &value, Location at, FrameId frame) const {
  Type *type = value.getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() >= word_bits || at.at.stride == 1 || has_half_precision_)
    return false;
  return is_padding(value, at) || (!converts_upper_halves_ && moves_alone(value, frame));
}

/// What is loaded for stores alone, none of which writes all bytes of a float.
bool SubwordCopies::moves_alone(const Value &value, FrameId frame) const {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (load == nullptr)
    return false;
  SmallVector<Location, 4> places;
  const auto note = [&](const Value &pointer) {
    if (auto at = memory_.location(pointer, frame))
      places.push_back(*at);
  };
  note(*load->getPointerOperand());
  for (const User *user : load->users())
    if (const auto *store = dyn_cast<StoreInst>(user))
      note(*store->getPointerOperand());
  const auto is_other = [&](std::int64_t distance) {
    return any_of(places, [&](Location at) {
      const ByteKind kind = type_at(value, at, distance).kind;
      return kind == ByteKind::integer || kind == ByteKind::pointer;
    });
  };
  return none_of(places, [&](Location at) { return is_beside_float(value, at); }) &&
         is_incomplete_copy(value, is_other);
}

BasicType SubwordCopies::type_at(const Value &value, Location at, std::int64_t distance) const {
  return types_.implementation().types.tree(at.node).look_up(at.at.plus({distance, 0})).resolve(value.getContext());
}

bool SubwordCopies::is_beside_float(const Value &value, Location at) const {
  const auto size = static_cast<std::int64_t>(memory_.layout().getTypeStoreSize(value.getType()).getFixedValue());
  const auto narrowest = static_cast<std::int64_t>(word_bytes);
  return any_of(seq(size - narrowest, narrowest),
                [&](std::int64_t distance) { return type_at(value, at, distance).kind == ByteKind::floating; });
}

/// Between known members that leave no room for a float: what the optimiser leaves of the padding of a struct that is
/// moved as a whole.
bool SubwordCopies::is_padding(const Value &value, Location at) const {
  constexpr std::int64_t narrowest = word_bytes, widest = 16;
  const auto type_at = [&](std::int64_t distance) { return this->type_at(value, at, distance); };
  const auto size = static_cast<std::int64_t>(memory_.layout().getTypeStoreSize(value.getType()).getFixedValue());
  std::int64_t end = size;
  while (end < size + narrowest && type_at(end).kind == ByteKind::unknown)
    ++end;
  if (end == size + narrowest)
    return false;
  for (std::int64_t before = size - 1; before > -widest; --before) {
    const BasicType known = type_at(before);
    if (known.kind == ByteKind::unknown)
      continue;
    const bool is_wide = known.kind == ByteKind::floating || known.kind == ByteKind::pointer;
    const std::int64_t begin =
        before + (is_wide ? static_cast<std::int64_t>(byte_size(known, memory_.layout())) : std::int64_t(1));
    return end - begin < narrowest && (!is_wide || begin <= 0);
  }
  return false;
}

} // namespace assay::engine
