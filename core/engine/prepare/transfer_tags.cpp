#include "core/engine/prepare/transfer_tags.hpp"
#include "core/engine/support/type_options.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// The base of which `pointer` is some number of elements of `size` bytes away; null for other pointers. The elements
/// of a struct are further apart than it is large.
const Value *base_of(const Value &pointer, std::uint64_t size, const DataLayout &layout) {
  const auto *address = dyn_cast<GEPOperator>(&pointer);
  if (!address)
    return nullptr;
  SmallMapVector<Value *, APInt, 4> scales;
  const unsigned width = layout.getIndexTypeSizeInBits(address->getType());
  APInt offset(width, 0);
  const bool is_element = address->collectOffset(layout, width, scales, offset) && scales.size() == 1 &&
                          scales.front().second == size && offset.urem(size) == 0;
  return is_element ? address->getPointerOperand() : nullptr;
}

/// Declared as a pointer to numbers, says the tag of its type ("p1 double").
bool is_pointer_to_numbers(const LoadInst &load) {
  const MDNode *tag = load.getMetadata(LLVMContext::MD_tbaa);
  const auto *type = tag && tag->getNumOperands() >= 3 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  const auto *name = type && type->getNumOperands() > 0 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  StringRef pointee = name ? name->getString() : StringRef();
  return pointee.consume_front("p1 ") &&
         is_contained({"double", "float", "long double", "_Float16", "__bf16"}, pointee);
}

/// An array: where it begins, or (true) the variable that its address is read from; and the size of an element.
using Key = std::tuple<const Value *, bool, std::uint64_t>;

Key array_with(const Value &element, std::uint64_t size, const DataLayout &layout) {
  const Value *array = &element;
  while (const Value *base = base_of(*array, size, layout))
    array = base;
  const auto *load = dyn_cast<LoadInst>(array);
  return load && is_pointer_to_numbers(*load) ? Key(load->getPointerOperand(), true, size) : Key(array, false, size);
}

/// The tag of an access to a number that is no part of a struct; null for other accesses.
MDNode *number_tag(const Instruction &access) {
  MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  const bool is_whole = tag && tag->getNumOperands() >= 3 && tag->getOperand(0) == tag->getOperand(1);
  return is_whole && getLoadStoreType(&access)->isFloatingPointTy() ? tag : nullptr;
}

/// The one tag of the accesses to each array of which some are by index; null where they differ.
using Tags = std::map<Key, MDNode *>;

Tags tags_of_arrays(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  Tags tags;
  SmallVector<std::pair<Key, MDNode *>, 16> others;
  for (const Instruction &access : instructions(function)) {
    if (!isa<LoadInst, StoreInst>(access))
      continue;
    const std::uint64_t size = layout.getTypeAllocSize(getLoadStoreType(&access));
    const Value &element = *getLoadStorePointerOperand(&access);
    MDNode *tag = number_tag(access);
    others.emplace_back(array_with(element, size, layout), tag);
    if (tag && base_of(element, size, layout))
      tags.try_emplace(others.back().first, tag);
  }
  for (const auto &[array, tag] : others)
    if (auto found = tags.find(array); found != tags.end() && found->second != tag)
      found->second = nullptr;
  return tags;
}

/// The bytes of an element, where the length is a number of elements that is computed: of a struct that begins with an
/// array it is constant, and of an array of those a multiple of more.
std::optional<std::uint64_t> element_bytes(const Value &length) {
  const Value *bytes = &length, *number = nullptr;
  while (isa<ZExtInst, SExtInst>(bytes))
    bytes = cast<CastInst>(bytes)->getOperand(0);
  std::uint64_t shift = 0, factor = 0;
  if (match(bytes, m_Shl(m_Value(number), m_ConstantInt(shift))))
    factor = shift < 8 ? std::uint64_t(1) << shift : 0;
  else
    match(bytes, m_Mul(m_Value(number), m_ConstantInt(factor)));
  while (number && isa<ZExtInst, SExtInst>(number))
    number = cast<CastInst>(number)->getOperand(0);
  if (factor == 0 || match(number, m_Shl(m_Value(), m_ConstantInt())) ||
      match(number, m_Mul(m_Value(), m_ConstantInt())))
    return std::nullopt;
  return factor;
}

MDNode *tag_of(const MemIntrinsic &transfer, const Tags &tags) {
  const std::optional<std::uint64_t> size = element_bytes(*transfer.getLength());
  if (!size)
    return nullptr;
  const auto tag_behind = [&](const Value &pointer) -> MDNode * {
    auto found = tags.find(array_with(pointer, *size, transfer.getDataLayout()));
    return found == tags.end() ? nullptr : found->second;
  };
  if (MDNode *tag = tag_behind(*transfer.getRawDest()))
    return tag;
  const auto *copy = dyn_cast<MemTransferInst>(&transfer);
  return copy ? tag_behind(*copy->getRawSource()) : nullptr;
}

} // namespace

bool tag_transfers_of_floats(Function &function) {
  if (!type_options().strict_aliasing)
    return false;
  const Tags tags = tags_of_arrays(function);
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *transfer = dyn_cast<MemIntrinsic>(&instruction);
    if (!transfer || transfer->hasMetadata(LLVMContext::MD_tbaa) || transfer->hasMetadata(LLVMContext::MD_tbaa_struct))
      continue;
    if (MDNode *tag = tag_of(*transfer, tags)) {
      transfer->setMetadata(LLVMContext::MD_tbaa, tag);
      changed = true;
    }
  }
  return changed;
}

} // namespace assay::engine
