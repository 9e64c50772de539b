#include "core/engine/support/type_content.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

template <class Predicate>
bool any_scalar(const Type *type, Predicate predicate) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() > 0 && any_scalar(array->getElementType(), predicate);
  if (auto *structure = dyn_cast<StructType>(type))
    return any_of(structure->elements(), [&](const Type *element) { return any_scalar(element, predicate); });
  return predicate(type->getScalarType());
}

class LeafCollector {
public:
  explicit LeafCollector(const DataLayout &layout) : layout_(layout) {}

  void visit(Type *type, std::uint64_t offset) {
    if (auto *structure = dyn_cast<StructType>(type)) {
      const StructLayout *fields = layout_.getStructLayout(structure);
      for (unsigned index = 0; index < structure->getNumElements(); ++index)
        visit_element(structure->getElementType(index), offset + fields->getElementOffset(index), index);
    } else if (auto *array = dyn_cast<ArrayType>(type)) {
      const std::uint64_t size = layout_.getTypeAllocSize(array->getElementType());
      for (unsigned index = 0; index < array->getNumElements(); ++index)
        visit_element(array->getElementType(), offset + index * size, index);
    } else if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      const std::uint64_t size = layout_.getTypeStoreSize(vector->getElementType());
      for (unsigned index = 0; index < vector->getNumElements(); ++index)
        visit_element(vector->getElementType(), offset + index * size, index);
    } else if (!type->isVoidTy()) {
      leaves.push_back({type, offset, path_});
    }
  }

  SmallVector<Leaf, 8> leaves;

private:
  void visit_element(Type *type, std::uint64_t offset, unsigned index) {
    path_.push_back(index);
    visit(type, offset);
    path_.pop_back();
  }

  const DataLayout &layout_;
  SmallVector<unsigned, 4> path_;
};

} // namespace

bool contains_floating(const Type *type) {
  return any_scalar(type, [](const Type *scalar) { return scalar->isFloatingPointTy(); });
}

bool contains_pointer(const Type *type) {
  return any_scalar(type, [](const Type *scalar) { return scalar->isPointerTy(); });
}

SmallVector<Leaf, 8> leaves_of(Type *type, const DataLayout &layout) {
  LeafCollector collector(layout);
  collector.visit(type, 0);
  return std::move(collector.leaves);
}

} // namespace assay::engine
