#include "core/engine/lowering/float_copies.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t float_size = 4, word_size = 8, most_bytes = 64;

/// Bytes [first, end) of a copy; with a type where they are a single number.
struct Piece {
  std::uint64_t first, end;
  Type *number = nullptr;
};
using Pieces = SmallVector<Piece, 8>;

std::optional<std::uint64_t> size_of(const MemCpyInst &copy) {
  const auto *length = dyn_cast<ConstantInt>(copy.getLength());
  const bool is_small = length && copy.hasMetadata(LLVMContext::MD_tbaa_struct) && !copy.isVolatile() &&
                        length->getValue().ule(most_bytes);
  return is_small && length->getZExtValue() >= word_size ? std::optional(length->getZExtValue()) : std::nullopt;
}

bool is_float_or_double(const Type *type) {
  return type && (type->isFloatTy() || type->isDoubleTy());
}

std::uint64_t bytes_of(const Type &number) {
  return number.isFloatTy() ? float_size : word_size;
}

/// From first to last; none where one lies over another, as the members of a union do.
Pieces ordered(Pieces numbers) {
  sort(numbers, [](const Piece &one, const Piece &other) { return one.first < other.first; });
  const auto overlap = [](const Piece &one, const Piece &next) { return next.first < one.end; };
  return std::adjacent_find(numbers.begin(), numbers.end(), overlap) == numbers.end() ? numbers : Pieces();
}

/// The numbers that `!tbaa.struct` names.
Pieces declared_numbers(const MemCpyInst &copy, std::uint64_t size) {
  Pieces numbers;
  for (const TaggedField &field : fields_of_tag(copy)) {
    Type *type = field.type.floating;
    if (!is_float_or_double(type) || field.offset < 0)
      continue;
    const std::uint64_t bytes = bytes_of(*type);
    for (std::uint64_t at = 0; at + bytes <= std::max(field.size, bytes); at += bytes)
      if (const std::uint64_t first = static_cast<std::uint64_t>(field.offset) + at; first + bytes <= size)
        numbers.push_back({first, first + bytes, type});
  }
  return ordered(numbers);
}

bool has_pair(const Pieces &numbers) {
  const auto are_pair = [](const Piece &one, const Piece &next) {
    return one.number->isFloatTy() && next.number->isFloatTy() && next.first == one.end && one.first % word_size == 0;
  };
  return std::adjacent_find(numbers.begin(), numbers.end(), are_pair) != numbers.end();
}

/// A struct of one double: the optimiser makes its copy a load and a store of i64.
bool fills_word(const Pieces &numbers, std::uint64_t size) {
  return size == word_size && numbers.size() == 1 && numbers.front().number->isDoubleTy();
}

/// The numbers and the gaps between them.
Pieces filled(const Pieces &numbers, std::uint64_t size) {
  Pieces all;
  std::uint64_t end = 0;
  for (const Piece &number : numbers) {
    if (end < number.first)
      all.push_back({end, number.first});
    all.push_back(number);
    end = number.end;
  }
  if (end < size)
    all.push_back({end, size});
  return all;
}

/// The part of `!tbaa.struct` that describes a piece.
MDNode *tags_of(const MDNode &pieces, const Piece &piece) {
  SmallVector<Metadata *, 6> tags;
  LLVMContext &context = pieces.getContext();
  const auto number = [&](std::uint64_t value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), value));
  };
  for (unsigned index = 0; index + 2 < pieces.getNumOperands(); index += 3) {
    const std::uint64_t first = mdconst::extract<ConstantInt>(pieces.getOperand(index))->getZExtValue();
    const std::uint64_t end = first + mdconst::extract<ConstantInt>(pieces.getOperand(index + 1))->getZExtValue();
    const std::uint64_t begin = std::max(first, piece.first), stop = std::min(end, piece.end);
    if (begin < stop)
      tags.append({number(begin - piece.first), number(stop - begin), pieces.getOperand(index + 2).get()});
  }
  return MDNode::get(context, tags);
}

/// The access tag of the number in `piece`, if `!tbaa.struct` has one.
MDNode *tag_of(const MDNode &pieces, const Piece &piece) {
  const MDNode *part = tags_of(pieces, piece);
  return part->getNumOperands() == 3 ? dyn_cast_or_null<MDNode>(part->getOperand(2)) : nullptr;
}

void split(MemCpyInst &copy, const Pieces &pieces) {
  IRBuilder<> builder(&copy);
  const MDNode *tags = copy.getMetadata(LLVMContext::MD_tbaa_struct);
  for (const Piece &piece : pieces) {
    const auto place = [&](Value *pointer) {
      return piece.first == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, piece.first);
    };
    Value *target = place(copy.getRawDest()), *source = place(copy.getRawSource());
    const Align target_align = commonAlignment(copy.getDestAlign().valueOrOne(), piece.first);
    const Align source_align = commonAlignment(copy.getSourceAlign().valueOrOne(), piece.first);
    if (piece.number) {
      LoadInst *load = builder.CreateAlignedLoad(piece.number, source, source_align);
      StoreInst *store = builder.CreateAlignedStore(load, target, target_align);
      for (Instruction *access : {cast<Instruction>(load), cast<Instruction>(store)})
        access->setMetadata(LLVMContext::MD_tbaa, tag_of(*tags, piece));
      continue;
    }
    CallInst *part = builder.CreateMemCpy(target, target_align, source, source_align, piece.end - piece.first);
    part->setMetadata(LLVMContext::MD_tbaa_struct, tags_of(*tags, piece));
  }
  copy.eraseFromParent();
}

} // namespace

void copy_floats_as_floats(Module &module) {
  if (uses_only_double(module) || uses_only_float(module))
    return;
  SmallVector<std::pair<MemCpyInst *, Pieces>, 16> found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *copy = dyn_cast<MemCpyInst>(&instruction);
      const std::optional<std::uint64_t> size = copy ? size_of(*copy) : std::nullopt;
      if (!size)
        continue;
      const Pieces numbers = declared_numbers(*copy, *size);
      if (has_pair(numbers) || fills_word(numbers, *size))
        found.emplace_back(copy, filled(numbers, *size));
    }
  for (auto &[copy, pieces] : found)
    split(*copy, pieces);
}

} // namespace assay::engine
