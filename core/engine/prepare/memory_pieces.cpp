#include "core/engine/prepare/memory_pieces.hpp"
#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace assay::engine {
namespace {

constexpr std::uint64_t word = 4;

/// The kind of every byte: a piece starts where `start` is true.
struct ByteMap {
  struct Byte {
    BasicType type;
    bool starts = false;
    bool is_mixed = false;
    bool may_be_more = false;
    bool is_only_laid_out = false;

    /// What one side takes for a gap, or for an integer, was seen to hold floats or pointers on the other.
    bool hides(const Byte &other) const { return other.may_be_more && type.kind == ByteKind::integer; }
  };
  std::vector<Byte> bytes;

  ByteMap(const TypeAnalysis &types, const llvm::Value &pointer, std::uint64_t size, const llvm::DataLayout &layout)
      : bytes(size) {
    const auto fields = types.fields(pointer, size);
    for (const TypedField &field : fields) {
      Byte &first = bytes[static_cast<std::size_t>(field.offset)];
      first.is_mixed = field.is_mixed;
      first.may_be_more = field.may_be_floating || field.may_be_pointer;
      first.is_only_laid_out = field.is_only_laid_out;
    }
    // In a packed struct a number may begin within the word of an integer, which is no longer than that.
    for (const bool is_integer : {false, true})
      for (const TypedField &field : fields)
        if (field.type.kind != ByteKind::unknown && (field.type.kind == ByteKind::integer) == is_integer)
          fill(field, layout);
  }

  void fill(const TypedField &field, const llvm::DataLayout &layout) {
    const auto offset = static_cast<std::uint64_t>(field.offset);
    std::uint64_t length = length_of(field, layout);
    if (field.type.kind == ByteKind::integer)
      length = std::min(length, bytes.size() - offset); // A copy may end within a word.
    for (std::uint64_t byte = offset; byte < offset + length && offset + length <= bytes.size(); ++byte) {
      if (bytes[byte].type.kind != ByteKind::unknown)
        continue;
      bytes[byte].type = field.type;
      bytes[byte].starts = byte == offset;
    }
  }

  /// An integer takes its byte and the rest of its word: what else is there would have been seen.
  static std::uint64_t length_of(const TypedField &field, const llvm::DataLayout &layout) {
    switch (field.type.kind) {
    case ByteKind::floating:
      return layout.getTypeAllocSize(field.type.floating).getFixedValue();
    case ByteKind::pointer:
      return layout.getPointerSize();
    default:
      return word - static_cast<std::uint64_t>(field.offset) % word;
    }
  }

  /// False where both are known and differ; that one place holds pointers and floats in turn is no gap.
  bool fill_from(const ByteMap &other) {
    for (std::size_t byte = 0; byte < bytes.size(); ++byte)
      if (bytes[byte].is_mixed || other.bytes[byte].is_mixed || bytes[byte].hides(other.bytes[byte]) ||
          other.bytes[byte].hides(bytes[byte]))
        return false;
      else if (bytes[byte].type.kind == ByteKind::unknown)
        bytes[byte] = other.bytes[byte];
      else if (other.bytes[byte].type.kind != ByteKind::unknown && !(other.bytes[byte].type == bytes[byte].type))
        return false;
    return true;
  }
};

/// True where a float has an integer beside it in a word of eight bytes of which only the layout of a class tells:
/// objects of several classes were taken for one, and what is padding in one of them may be a float of another.
bool may_hide_float(const ByteMap &map) {
  for (std::size_t begin = 0; begin + 2 * word <= map.bytes.size(); begin += 2 * word)
    for (const std::size_t half : {begin, begin + word}) {
      const ByteMap::Byte &byte = map.bytes[half], &beside = map.bytes[half == begin ? begin + word : begin];
      if (byte.type.kind == ByteKind::integer && byte.is_only_laid_out && beside.starts &&
          beside.type.kind == ByteKind::floating && beside.type.floating->isFloatTy())
        return true;
    }
  return false;
}

bool is_open_mixture(const TypeAnalysis &types, const llvm::Value &pointer) {
  return types.is_open(pointer) && (types.may_begin_anywhere(pointer) || types.is_mixture(pointer));
}

bool contains_floating(const ByteMap &map) {
  return llvm::any_of(map.bytes, [](const ByteMap::Byte &byte) { return byte.type.kind == ByteKind::floating; });
}

std::optional<llvm::SmallVector<MemoryPiece, 8>> pieces_of(const ByteMap &map, llvm::LLVMContext &context,
                                                           const llvm::DataLayout &layout, bool loose_types) {
  llvm::SmallVector<MemoryPiece, 8> pieces;
  std::uint64_t size = map.bytes.size();
  for (std::uint64_t offset = 0; offset < size;) {
    const ByteMap::Byte &byte = map.bytes[offset];
    if (byte.type.kind == ByteKind::unknown && !(loose_types && contains_floating(map)))
      return std::nullopt;
    if (byte.type.kind == ByteKind::floating || byte.type.kind == ByteKind::pointer) {
      if (!byte.starts)
        return std::nullopt;
      llvm::Type *type =
          byte.type.kind == ByteKind::floating ? byte.type.floating : llvm::PointerType::getUnqual(context);
      pieces.push_back({offset, type});
      offset += layout.getTypeAllocSize(type).getFixedValue();
      continue;
    }
    // Integers: the largest power of two that fits, up to eight bytes.
    std::uint64_t length = 1;
    auto is_plain = [&](std::uint64_t at) {
      ByteKind kind = map.bytes[at].type.kind;
      return kind == ByteKind::integer || kind == ByteKind::unknown;
    };
    while (length < 8 && offset % (2 * length) == 0 && offset + 2 * length <= size) {
      bool plain = true;
      for (std::uint64_t at = offset + length; at < offset + 2 * length; ++at)
        plain &= is_plain(at) && (loose_types || map.bytes[at].type.kind == ByteKind::integer);
      if (!plain)
        break;
      length *= 2;
    }
    pieces.push_back({offset, llvm::Type::getIntNTy(context, static_cast<unsigned>(length * 8))});
    offset += length;
  }
  return pieces;
}

} // namespace

std::optional<llvm::SmallVector<MemoryPiece, 8>> pieces_behind(const TypeAnalysis &types, const llvm::Value &pointer,
                                                               std::uint64_t size, bool loose_types) {
  const llvm::DataLayout &layout = types.layout();
  return pieces_of(ByteMap(types, pointer, size, layout), pointer.getContext(), layout, loose_types);
}

std::optional<llvm::SmallVector<MemoryPiece, 8>> pieces_behind_both(const TypeAnalysis &types, const llvm::Value &one,
                                                                    const llvm::Value &other, std::uint64_t size,
                                                                    bool loose_types) {
  const llvm::DataLayout &layout = types.layout();
  ByteMap map(types, one, size, layout);
  if (!map.fill_from(ByteMap(types, other, size, layout)))
    return std::nullopt;
  if (!loose_types && may_hide_float(map) && (is_open_mixture(types, one) || is_open_mixture(types, other)))
    return std::nullopt;
  return pieces_of(map, one.getContext(), layout, loose_types);
}

bool leaves_word_unknown(const TypeAnalysis &types, const llvm::Value &one, const llvm::Value &other,
                         std::uint64_t size) {
  const ByteMap map(types, one, size, types.layout()), other_map(types, other, size, types.layout());
  for (std::uint64_t begin = 0; begin < size; begin += word) {
    const ByteMap::Byte &byte = map.bytes[begin], &beside = other_map.bytes[begin];
    if (byte.type.kind == ByteKind::unknown && !byte.is_mixed && beside.type.kind == ByteKind::unknown &&
        !beside.is_mixed)
      return true;
  }
  return false;
}

llvm::Value *offset_by(llvm::IRBuilderBase &builder, llvm::Value *pointer, std::uint64_t offset) {
  return offset == 0 ? pointer : builder.CreatePtrAdd(pointer, builder.getInt64(offset));
}

llvm::SmallVector<llvm::Value *, 8> load_pieces(llvm::IRBuilderBase &builder, llvm::ArrayRef<MemoryPiece> pieces,
                                                llvm::Value *source, llvm::Align alignment) {
  const bool has_others = llvm::any_of(pieces, [](const MemoryPiece &piece) { return !piece.type->isIntegerTy(); });
  llvm::MDNode *note = llvm::MDNode::get(builder.getContext(), {});
  llvm::SmallVector<llvm::Value *, 8> values;
  for (const MemoryPiece &piece : pieces) {
    llvm::LoadInst *load = builder.CreateAlignedLoad(piece.type, offset_by(builder, source, piece.offset),
                                                     llvm::commonAlignment(alignment, piece.offset));
    if (piece.type->isIntegerTy())
      load->setMetadata(integer_metadata, note);
    if (piece.type->isIntegerTy() && has_others)
      load->setMetadata(piece_of_copy, note);
    values.push_back(load);
  }
  return values;
}

} // namespace assay::engine
