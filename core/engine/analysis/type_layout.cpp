#include "core/engine/analysis/type_layout.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/DerivedTypes.h"
#include <optional>

namespace assay::engine {
namespace {

struct Elements {
  llvm::Type *type;
  std::uint64_t count, stride;
};

/// Of an array or a vector.
std::optional<Elements> elements_of(llvm::Type *type, const llvm::DataLayout &layout) {
  llvm::Type *element = nullptr;
  std::uint64_t count = 0;
  if (type->isArrayTy()) {
    element = type->getArrayElementType();
    count = type->getArrayNumElements();
  } else if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    element = vector->getElementType();
    count = vector->getNumElements();
  } else {
    return std::nullopt;
  }
  return Elements{element, count, layout.getTypeAllocSize(element).getFixedValue()};
}

/// Where any of the elements begins.
OffsetSet any_element(OffsetSet at, const Elements &elements) {
  return elements.count == 1 || elements.stride == 0 ? at : at.plus({0, elements.stride});
}

/// Null where the offsets of the members are not known.
const llvm::StructLayout *members_of(llvm::StructType &record, const llvm::DataLayout &layout) {
  return record.isOpaque() || !record.isSized() || record.isScalableTy() ? nullptr : layout.getStructLayout(&record);
}

} // namespace

void for_each_scalar(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                     llvm::function_ref<void(OffsetSet, llvm::Type *)> visit) {
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *offsets = members_of(*record, layout);
    if (offsets == nullptr)
      return;
    for (unsigned index = 0; index < record->getNumElements(); ++index) {
      auto offset = static_cast<std::int64_t>(offsets->getElementOffset(index).getFixedValue());
      for_each_scalar(record->getElementType(index), at.plus({offset, 0}), layout, visit);
    }
    return;
  }
  if (const std::optional<Elements> elements = elements_of(type, layout)) {
    for_each_scalar(elements->type, any_element(at, *elements), layout, visit);
    return;
  }
  if (type->isSized() && !type->isScalableTy())
    visit(at, type);
}

namespace {

Rank rank_in(const llvm::StructType *owner, llvm::Type *scalar) {
  bool is_union = owner != nullptr && owner->hasName() && owner->getName().starts_with("union.");
  if (is_union)
    return Rank::hint;
  bool is_named = owner != nullptr && owner->hasName();
  return scalar->isIntegerTy() && !is_named ? Rank::hint : Rank::layout;
}

/// Arrays of characters with fewer elements are padding, others storage for anything.
constexpr std::uint64_t smallest_storage = 8;
/// Arrays in structs with at most so many elements are taken element by element.
constexpr std::uint64_t most_enumerated = 64;

void visit_layout(llvm::Type *type, const llvm::StructType *owner, OffsetSet at, const llvm::DataLayout &layout,
                  llvm::function_ref<void(OffsetSet, Evidence)> visit) {
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *offsets = members_of(*record, layout);
    if (offsets == nullptr)
      return;
    for (unsigned index = 0; index < record->getNumElements(); ++index) {
      llvm::Type *element = record->getElementType(index);
      std::uint64_t offset = offsets->getElementOffset(index).getFixedValue();
      visit_layout(element, record, at.plus({static_cast<std::int64_t>(offset), 0}), layout, visit);
      std::uint64_t end = offset + layout.getTypeStoreSize(element).getFixedValue();
      std::uint64_t next = index + 1 < record->getNumElements() ? offsets->getElementOffset(index + 1).getFixedValue()
                                                                : offsets->getSizeInBytes().getFixedValue();
      for (std::uint64_t padding = (end + word_bytes - 1) / word_bytes * word_bytes; padding < next;
           padding += word_bytes)
        visit(at.plus({static_cast<std::int64_t>(padding), 0}), Evidence::of(integer_type(), Rank::layout));
    }
    return;
  }
  if (const std::optional<Elements> elements = elements_of(type, layout)) {
    const auto [element, count, stride] = *elements;
    if (element->isIntegerTy(8)) {
      if (count < smallest_storage)
        visit(at, Evidence::of(integer_type(), rank_in(owner, element)));
    } else if (owner != nullptr && count <= most_enumerated) { // within its struct only: other fields follow
      for (std::uint64_t index = 0; index < count; ++index)
        visit_layout(element, owner, at.plus({static_cast<std::int64_t>(index * stride), 0}), layout, visit);
    } else if (count != 0) {
      visit_layout(element, owner, any_element(at, *elements), layout, visit);
    }
    return;
  }
  if (!type->isSized() || type->isScalableTy())
    return;
  std::uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  Evidence evidence = Evidence::of(basic_type(type), rank_in(owner, type));
  visit(at, evidence);
  for (std::uint64_t rest = word_bytes; type->isIntegerTy() && rest < size; rest += word_bytes)
    visit(at.plus({static_cast<std::int64_t>(rest), 0}), evidence);
}

} // namespace

void for_each_layout_evidence(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                              llvm::function_ref<void(OffsetSet, Evidence)> visit) {
  visit_layout(type, nullptr, at, layout, visit);
}

} // namespace assay::engine
