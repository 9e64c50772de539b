#include "core/engine/emit/tape_words.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

Value *address_of(IRBuilder<> &builder, const TapeWords &words, std::uint64_t offset) {
  Value *address = words.first;
  if (const std::uint64_t word = offset / tape_word_bytes)
    address = builder.CreateInBoundsPtrAdd(address, builder.CreateMul(words.stride, builder.getInt64(word)));
  const std::uint64_t rest = offset % tape_word_bytes;
  return rest ? builder.CreateInBoundsPtrAdd(address, builder.getInt64(rest)) : address;
}

/// What a value that is more than one access consists of.
enum class Shape : std::uint8_t { single, structure, elements, integer };

struct Layout {
  const DataLayout &data;

  std::uint64_t size(Type *type) const { return data.getTypeAllocSize(type).getFixedValue(); }
  bool fits(Type *type, std::uint64_t offset) const {
    const std::uint64_t bytes = size(type);
    return isPowerOf2_64(bytes) && bytes <= tape_word_bytes && offset % bytes == 0;
  }
  Shape shape(Type *type, std::uint64_t offset) const {
    if (isa<StructType>(type))
      return Shape::structure;
    if (isa<ArrayType>(type))
      return Shape::elements;
    if (fits(type, offset))
      return Shape::single;
    const auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && data.getTypeSizeInBits(vector->getElementType()) == size(vector->getElementType()) * 8
               ? Shape::elements
               : Shape::integer;
  }
  std::uint64_t count(Type *type) const {
    return isa<ArrayType>(type) ? type->getArrayNumElements() : cast<FixedVectorType>(type)->getNumElements();
  }
  Type *element(Type *type) const {
    return isa<ArrayType>(type) ? type->getArrayElementType() : cast<FixedVectorType>(type)->getElementType();
  }
  /// An integer is written by words where it starts with one, else by bytes.
  std::uint64_t part_bytes(std::uint64_t offset, std::uint64_t bytes) const {
    return offset % tape_word_bytes == 0 && bytes % tape_word_bytes == 0 ? tape_word_bytes : 1;
  }
  /// Of all bits of a value, and of all its bytes in memory.
  IntegerType *bits(Type *type) const {
    return IntegerType::get(type->getContext(), data.getTypeSizeInBits(type).getFixedValue());
  }
  IntegerType *bytes(Type *type) const { return IntegerType::get(type->getContext(), unsigned(size(type) * 8)); }
};

class Writer {
public:
  Writer(IRBuilder<> &builder, const TapeWords &words, NoteAccess note)
      : builder_(builder), words_(words), note_(note), layout_{builder.GetInsertBlock()->getDataLayout()} {}

  void write(Value *value, std::uint64_t offset) {
    Type *type = value->getType();
    switch (layout_.shape(type, offset)) {
    case Shape::single:
      return store(value, offset);
    case Shape::structure:
      for (unsigned index = 0; index < type->getStructNumElements(); ++index)
        write(builder_.CreateExtractValue(value, index),
              offset + layout_.data.getStructLayout(cast<StructType>(type))->getElementOffset(index));
      return;
    case Shape::elements:
      for (unsigned index = 0; index < layout_.count(type); ++index)
        write(isa<ArrayType>(type) ? builder_.CreateExtractValue(value, index)
                                   : builder_.CreateExtractElement(value, index),
              offset + index * layout_.size(layout_.element(type)));
      return;
    case Shape::integer:
      return write_integer(value, offset);
    }
  }

private:
  void write_integer(Value *value, std::uint64_t offset) {
    Type *type = value->getType();
    Value *whole = builder_.CreateZExt(builder_.CreateBitOrPointerCast(value, layout_.bits(type)), layout_.bytes(type));
    const std::uint64_t bytes = layout_.size(type), part = layout_.part_bytes(offset, bytes);
    for (std::uint64_t at = 0; at < bytes; at += part)
      store(builder_.CreateTrunc(builder_.CreateLShr(whole, at * 8), builder_.getIntNTy(unsigned(part * 8))),
            offset + at);
  }
  void store(Value *value, std::uint64_t offset) {
    const Align alignment = alignment_in_words(layout_.data, value->getType());
    note_(*builder_.CreateAlignedStore(value, address_of(builder_, words_, offset), alignment));
  }

  IRBuilder<> &builder_;
  const TapeWords &words_;
  NoteAccess note_;
  Layout layout_;
};

class Reader {
public:
  Reader(IRBuilder<> &builder, const TapeWords &words, NoteAccess note)
      : builder_(builder), words_(words), note_(note), layout_{builder.GetInsertBlock()->getDataLayout()} {}

  Value *read(Type *type, std::uint64_t offset) {
    Value *result = PoisonValue::get(type);
    switch (layout_.shape(type, offset)) {
    case Shape::single:
      return load(type, offset);
    case Shape::structure:
      for (unsigned index = 0; index < type->getStructNumElements(); ++index)
        result = builder_.CreateInsertValue(
            result,
            read(type->getStructElementType(index),
                 offset + layout_.data.getStructLayout(cast<StructType>(type))->getElementOffset(index)),
            index);
      return result;
    case Shape::elements:
      for (unsigned index = 0; index < layout_.count(type); ++index) {
        Value *element = read(layout_.element(type), offset + index * layout_.size(layout_.element(type)));
        result = isa<ArrayType>(type) ? builder_.CreateInsertValue(result, element, index)
                                      : builder_.CreateInsertElement(result, element, index);
      }
      return result;
    case Shape::integer:
      return read_integer(type, offset);
    }
    llvm_unreachable("unknown shape");
  }

private:
  Value *read_integer(Type *type, std::uint64_t offset) {
    IntegerType *whole = layout_.bytes(type);
    const std::uint64_t bytes = layout_.size(type), part = layout_.part_bytes(offset, bytes);
    Value *result = ConstantInt::get(whole, 0);
    for (std::uint64_t at = 0; at < bytes; at += part) {
      Value *loaded = builder_.CreateZExt(load(builder_.getIntNTy(unsigned(part * 8)), offset + at), whole);
      result = builder_.CreateOr(result, builder_.CreateShl(loaded, at * 8));
    }
    return builder_.CreateBitOrPointerCast(builder_.CreateTrunc(result, layout_.bits(type)), type);
  }
  Value *load(Type *type, std::uint64_t offset) {
    LoadInst *load =
        builder_.CreateAlignedLoad(type, address_of(builder_, words_, offset), alignment_in_words(layout_.data, type));
    note_(*load);
    return load;
  }

  IRBuilder<> &builder_;
  const TapeWords &words_;
  NoteAccess note_;
  Layout layout_;
};

} // namespace

PointerType *global_pointer_type(LLVMContext &context) {
  return PointerType::get(context, unsigned(DeviceMemory::global));
}

Value *in_global_memory(IRBuilder<> &builder, Value *address) {
  return builder.CreateAddrSpaceCast(address, global_pointer_type(builder.getContext()));
}

Value *distance_in_words(IRBuilder<> &builder, Value *stride, Value *bytes) {
  return builder.CreateMul(builder.CreateLShr(bytes, Log2_64(tape_word_bytes), "", true), stride, "", true, true);
}

Value *word_address(IRBuilder<> &builder, const TapeWords &words, Value *offset, std::uint64_t unit) {
  Value *word = builder.CreateMul(builder.CreateLShr(offset, Log2_64(tape_word_bytes)), words.stride);
  Value *address = builder.CreateInBoundsPtrAdd(words.first, word);
  if (unit % tape_word_bytes == 0)
    return address;
  return builder.CreateInBoundsPtrAdd(address, builder.CreateAnd(offset, tape_word_bytes - 1));
}

Value *iteration_address(IRBuilder<> &builder, const TapeWords &words, Value *iteration, std::uint64_t bytes) {
  if (bytes % tape_word_bytes != 0)
    return word_address(builder, words, builder.CreateMul(iteration, builder.getInt64(bytes), "", true, true), bytes);
  // The product without the iteration leaves the loops.
  Value *step = builder.CreateMul(words.stride, builder.getInt64(bytes / tape_word_bytes), "", true, true);
  return builder.CreateInBoundsPtrAdd(words.first, builder.CreateMul(iteration, step, "", true, true));
}

void store_in_words(IRBuilder<> &builder, Value *value, const TapeWords &words, std::uint64_t offset, NoteAccess note) {
  Writer(builder, words, note).write(value, offset);
}

Value *load_from_words(IRBuilder<> &builder, Type *type, const TapeWords &words, std::uint64_t offset,
                       NoteAccess note) {
  return Reader(builder, words, note).read(type, offset);
}

} // namespace assay::engine
