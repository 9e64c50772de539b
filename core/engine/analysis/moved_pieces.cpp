#include "core/engine/analysis/moved_pieces.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/lone_pieces.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {

MovedPieces::MovedPieces(const TypeAnalysis &types) : types_(types), memory_(types.implementation().memory) {
  note_half_precision();
}

void MovedPieces::note_half_precision() {
  const auto is_half = [](const llvm::Instruction &instruction) {
    const llvm::Type *type = instruction.getType()->getScalarType();
    return type->isHalfTy() || type->isBFloatTy();
  };
  for (const llvm::Function *function : memory_.calls().functions()) {
    has_half_precision_ |= llvm::any_of(llvm::instructions(*function), is_half);
    converts_upper_halves_ |= llvm::any_of(llvm::instructions(*function), converts_upper_half);
  }
}

/// The case of one byte beside a copy of any length between the same places, as strings are copied: a single byte is no
/// number.
static bool is_copy_of_one_byte(const llvm::Value &value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load != nullptr && llvm::all_of(load->users(), [&](const llvm::User *user) {
           const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
           return store != nullptr && llvm::any_of(load->getPointerOperand()->users(), [&](const llvm::User *other) {
                    const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(other);
                    return copy != nullptr && copy->getRawSource() == load->getPointerOperand() &&
                           copy->getRawDest() == store->getPointerOperand() &&
                           !llvm::isa<llvm::Constant>(copy->getLength());
                  });
         });
}

/// A byte that is only copied, from or to memory that holds one floating type or is not known at all: loops that copy
/// bytes move floats.
bool MovedPieces::may_be_part_of_float(const llvm::Value &value, NodeId node, FrameId frame) const {
  if (!value.getType()->isIntegerTy(8) || llvm::isa<llvm::Constant>(value) || is_copy_of_one_byte(value))
    return false;
  const TypeCollector &types = types_.implementation().types;
  if (types.of_integer(value, frame).kind != ByteKind::unknown)
    return false;
  Evidence all = types.tree(node).everything(OffsetSet::anywhere());
  return all.empty() || all.resolve(value.getContext()).kind == ByteKind::floating;
}

/// A few bytes, in functions without half precision, that are no part of a float: padding, or what moves alone.
bool MovedPieces::are_no_part_of_float(const llvm::Value &value, Location at, FrameId frame) const {
  llvm::Type *type = value.getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() >= word_bits || at.at.stride == 1 || has_half_precision_)
    return false;
  return is_padding(value, at) || (!converts_upper_halves_ && moves_alone(value, frame));
}

/// What is loaded for stores alone, none of which writes all bytes of a float.
bool MovedPieces::moves_alone(const llvm::Value &value, FrameId frame) const {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load == nullptr)
    return false;
  llvm::SmallVector<Location, 4> places;
  const auto note = [&](const llvm::Value &pointer) {
    if (auto at = memory_.location(pointer, frame))
      places.push_back(*at);
  };
  note(*load->getPointerOperand());
  for (const llvm::User *user : load->users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      note(*store->getPointerOperand());
  const auto is_other = [&](std::int64_t distance) {
    return llvm::any_of(places, [&](Location at) {
      const ByteKind kind = type_at(value, at, distance).kind;
      return kind == ByteKind::integer || kind == ByteKind::pointer;
    });
  };
  return llvm::none_of(places, [&](Location at) { return is_beside_float(value, at); }) &&
         is_lone_piece(value, is_other);
}

BasicType MovedPieces::type_at(const llvm::Value &value, Location at, std::int64_t distance) const {
  return types_.implementation().types.tree(at.node).look_up(at.at.plus({distance, 0})).resolve(value.getContext());
}

bool MovedPieces::is_beside_float(const llvm::Value &value, Location at) const {
  const auto size = static_cast<std::int64_t>(memory_.layout().getTypeStoreSize(value.getType()).getFixedValue());
  const auto narrowest = static_cast<std::int64_t>(word_bytes);
  return llvm::any_of(llvm::seq(size - narrowest, narrowest),
                      [&](std::int64_t distance) { return type_at(value, at, distance).kind == ByteKind::floating; });
}

/// Between known members that leave no room for a float: what the optimiser leaves of the padding of a struct that is
/// moved as a whole.
bool MovedPieces::is_padding(const llvm::Value &value, Location at) const {
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
