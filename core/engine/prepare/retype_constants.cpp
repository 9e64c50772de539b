#include "core/engine/prepare/retype_constants.hpp"
#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/prepare/memory_pieces.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The stored bits, for integers and vectors of integers.
std::optional<APInt> constant_bits(const StoreInst &store) {
  const auto *constant = dyn_cast<Constant>(store.getValueOperand());
  if (!constant || !constant->getType()->isIntOrIntVectorTy() || isa<UndefValue>(constant))
    return std::nullopt;
  const unsigned width = constant->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (width % 8 != 0)
    return std::nullopt;
  if (constant->isNullValue())
    return APInt(width, 0);
  const auto *integer = dyn_cast<ConstantInt>(constant);
  return integer && !integer->getType()->isVectorTy() ? std::optional(integer->getValue()) : std::nullopt;
}

Constant *constant_of(Type *type, const APInt &bits) {
  if (type->isFloatingPointTy())
    return ConstantFP::get(type, APFloat(type->getFltSemantics(), bits));
  if (type->isIntegerTy())
    return ConstantInt::get(type, bits);
  return type->isPointerTy() && bits.isZero() ? Constant::getNullValue(type) : nullptr;
}

struct ConstantPiece : MemoryPiece {
  bool is_of_unknown_type = false; ///< Its type is no more than a guess.
};
using ConstantPieces = SmallVector<ConstantPiece, 8>;

ConstantPieces as_known(ArrayRef<MemoryPiece> pieces) {
  ConstantPieces known;
  for (const MemoryPiece &piece : pieces)
    known.push_back({piece});
  return known;
}

/// What a word holds of which `known` says something; nothing where it is a part of something longer.
Type *type_of_word(const TypedField &known, LLVMContext &context) {
  switch (known.type.kind) {
  case ByteKind::floating:
    return known.type.floating;
  case ByteKind::pointer:
    return PointerType::getUnqual(context);
  case ByteKind::integer:
    return Type::getInt32Ty(context);
  case ByteKind::unknown:
    return Type::getFloatTy(context);
  }
  return nullptr;
}

/// Zeros where not everything is known of what is there: they end the life of floats, should there be some, and to
/// anything else it does not matter what type stores them. So words of which nothing is known are stored as floats.
std::optional<ConstantPieces> zeros_of_unknown_type(const StoreInst &store, const APInt &bits,
                                                    const TypeAnalysis &types) {
  const std::uint64_t size = bits.getBitWidth() / 8;
  if (!bits.isZero() || size % sizeof(float) != 0)
    return std::nullopt;
  const auto fields = types.fields(*store.getPointerOperand(), size);
  ConstantPieces pieces;
  for (std::uint64_t offset = 0; offset < size;) {
    const auto *field = find_if(fields, [&](const TypedField &candidate) {
      return static_cast<std::uint64_t>(candidate.offset) / sizeof(float) == offset / sizeof(float);
    });
    Type *type =
        field == fields.end() ? Type::getFloatTy(store.getContext()) : type_of_word(*field, store.getContext());
    const std::uint64_t end = offset + types.layout().getTypeStoreSize(type).getFixedValue();
    if (end % sizeof(float) != 0 || end > size)
      return std::nullopt;
    pieces.push_back({{offset, type}, field == fields.end()});
    offset = end;
  }
  return pieces;
}

/// Doubles among pointers, or nothing that is known where the program has no narrower floats: zeros are set by words.
/// Where integers and pointers are all that was seen there is nothing to end. Half a word that may be a float is set as
/// one.
bool may_be_words(const StoreInst &store, std::uint64_t size, const TypeAnalysis &types) {
  const MemoryWords found = types.words(*store.getPointerOperand(), size);
  if (size % sizeof(double) != 0 && has_floats(found))
    return false;
  if (holds_numbers(found) || found == MemoryWords::others)
    return holds_numbers(found);
  return (found == MemoryWords::plain || size % sizeof(double) == 0) && uses_only_double(*store.getModule());
}

/// True of bits that are a number as it is computed with: neither a small integer nor an address, nor a negative one.
bool look_like_number(const APInt &bits, const Type &type) {
  return APFloat(type.getFltSemantics(), bits).isNormal();
}

/// The type of so many bytes of a constant, where numbers may be and what they are is known by their bits alone.
Type *type_by_bits(const APInt &bits, std::uint64_t offset, Type &number) {
  const unsigned width = number.getPrimitiveSizeInBits().getFixedValue();
  return look_like_number(bits.extractBits(width, static_cast<unsigned>(offset) * 8), number)
             ? &number
             : Type::getIntNTy(number.getContext(), width);
}

/// A constant member of a union, or beside an integer in one word: a number has no derivative and ends the life of what
/// was there before, while integers and addresses stay what they are.
std::optional<ConstantPieces> numbers_of_unknown_type(const StoreInst &store, const APInt &bits,
                                                      const TypeAnalysis &types) {
  const std::uint64_t size = bits.getBitWidth() / 8;
  const MemoryWords words = types.words(*store.getPointerOperand(), size);
  LLVMContext &context = store.getContext();
  Type *number = has_floats(words) ? Type::getFloatTy(context) : Type::getDoubleTy(context);
  const std::uint64_t step = types.layout().getTypeStoreSize(number).getFixedValue();
  if (!holds_numbers(words) || size % step != 0)
    return std::nullopt;
  const auto fields = types.seen_fields(*store.getPointerOperand(), size);
  ConstantPieces pieces;
  for (std::uint64_t offset = 0; offset < size; offset += step) {
    const bool is_integer = any_of(fields, [&](const TypedField &field) {
      return static_cast<std::uint64_t>(field.offset) == offset && field.type.kind == ByteKind::integer;
    });
    pieces.push_back({{offset, is_integer ? Type::getIntNTy(context, static_cast<unsigned>(step) * 8)
                                          : type_by_bits(bits, offset, *number)}});
  }
  return pieces;
}

bool covers(const MemoryPiece &piece, std::uint64_t size, const DataLayout &layout) {
  return piece.offset == 0 && layout.getTypeStoreSize(piece.type).getFixedValue() == size;
}

void retype(StoreInst &store, const APInt &bits, const TypeAnalysis &types) {
  const std::uint64_t size = bits.getBitWidth() / 8;
  const auto seen = pieces_behind(types, *store.getPointerOperand(), size, false);
  std::optional<ConstantPieces> pieces = seen ? std::optional(as_known(*seen)) : std::nullopt;
  const auto is_address = [](const MemoryPiece &piece) { return piece.type->isPointerTy(); };
  if (pieces && !bits.isZero() && any_of(*pieces, is_address))
    pieces.reset(); // Something else was seen as well: no address is a constant other than zero.
  if (!store.isSimple() && !(pieces && pieces->size() == 1 && covers(pieces->front(), size, store.getDataLayout())))
    return; // an atomic or volatile store is not split, and its type has to be known
  if (!pieces && !bits.isZero())
    pieces = numbers_of_unknown_type(store, bits, types);
  else if (!pieces && !may_be_words(store, size, types))
    pieces = zeros_of_unknown_type(store, bits, types);
  if (!pieces || all_of(*pieces, [](const MemoryPiece &piece) { return piece.type->isIntegerTy(); }))
    return;
  const DataLayout &layout = store.getDataLayout();
  SmallVector<std::pair<const ConstantPiece *, Constant *>, 4> constants;
  for (const ConstantPiece &piece : *pieces) {
    const unsigned width = layout.getTypeSizeInBits(piece.type).getFixedValue();
    if (piece.offset * 8 + width > bits.getBitWidth())
      return;
    Constant *constant = constant_of(piece.type, bits.extractBits(width, piece.offset * 8));
    if (!constant)
      return;
    constants.emplace_back(&piece, constant);
  }
  IRBuilder<> builder(&store);
  for (auto [piece, constant] : constants) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), piece->offset);
    StoreInst *part = builder.CreateAlignedStore(constant, place, commonAlignment(store.getAlign(), piece->offset),
                                                 store.isVolatile());
    part->setAtomic(store.getOrdering(), store.getSyncScopeID());
    if (piece->is_of_unknown_type)
      part->setMetadata(zeros_metadata, MDNode::get(store.getContext(), {}));
  }
  store.eraseFromParent();
}

} // namespace

void retype_constant_stores(Function &function, const TypeAnalysis &types) {
  SmallVector<std::pair<StoreInst *, APInt>, 8> stores;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (std::optional<APInt> bits = constant_bits(*store))
        stores.emplace_back(store, *bits);
  for (auto &[store, bits] : stores)
    retype(*store, bits, types);
}

} // namespace assay::engine
