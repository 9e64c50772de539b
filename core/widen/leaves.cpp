#include "core/widen/leaves.hpp"

#include "llvm/IR/DerivedTypes.h"

namespace assay::widen {

namespace {

constexpr std::size_t most_leaves = 512;

bool is_word(const llvm::Type *type) {
  return type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64) || type->isIntegerTy(128);
}

class Flattening {
public:
  explicit Flattening(const llvm::DataLayout &layout) : layout_(layout) {}

  void visit(llvm::Type *type, std::uint64_t offset) {
    if (is_full())
      return;
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
      return visit_struct(structure, offset);
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return visit_elements(array->getElementType(), array->getNumElements(), offset);
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return visit_elements(vector->getElementType(), vector->getNumElements(), offset);
    if (type->isSized() && !llvm::isa<llvm::ScalableVectorType>(type))
      visit_scalar(type, offset);
  }

  bool is_full() const { return leaves.size() > most_leaves || pieces.size() > most_leaves; }

  Leaves leaves;
  llvm::SmallVector<Piece, 2> pieces;

private:
  void visit_struct(llvm::StructType *type, std::uint64_t offset) {
    if (!type->isSized())
      return;
    const llvm::StructLayout *layout = layout_.getStructLayout(type);
    for (unsigned index = 0; index < type->getNumElements(); ++index) {
      path_.push_back(index);
      visit(type->getElementType(index), offset + layout->getElementOffset(index).getFixedValue());
      path_.pop_back();
    }
  }

  void visit_elements(llvm::Type *element, std::uint64_t count, std::uint64_t offset) {
    const std::uint64_t stride = layout_.getTypeAllocSize(element).getFixedValue();
    for (unsigned index = 0; index < count && !is_full(); ++index) {
      path_.push_back(index);
      visit(element, offset + index * stride);
      path_.pop_back();
    }
  }

  void visit_scalar(llvm::Type *type, std::uint64_t offset) {
    const std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    const bool is_number = type->isFloatingPointTy() && !type->isPPC_FP128Ty();
    if (is_number || is_word(type))
      leaves.push_back({is_number ? Leaf::Kind::number : Leaf::Kind::word,
                        type,
                        {path_.begin(), path_.end()},
                        offset,
                        static_cast<std::uint32_t>(size)});
    else if (size != 0)
      pieces.push_back({offset, size});
  }

  const llvm::DataLayout &layout_;
  llvm::SmallVector<unsigned, 4> path_;
};

} // namespace

Leaves leaves_of(llvm::Type *type, const llvm::DataLayout &layout) {
  Flattening flattening(layout);
  flattening.visit(type, 0);
  if (flattening.is_full())
    return {};
  return std::move(flattening.leaves);
}

llvm::SmallVector<Piece, 2> other_pieces_of(llvm::Type *type, const llvm::DataLayout &layout) {
  Flattening flattening(layout);
  flattening.visit(type, 0);
  if (flattening.is_full())
    return {{0, layout.getTypeStoreSize(type).getFixedValue()}};
  return std::move(flattening.pieces);
}

} // namespace assay::widen
