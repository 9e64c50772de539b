#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/Type.h"

namespace assay::engine {

BasicType integer_type() {
  return {ByteKind::integer, nullptr};
}
BasicType pointer_type() {
  return {ByteKind::pointer, nullptr};
}

BasicType basic_type(llvm::Type *scalar) {
  if (scalar->isFloatingPointTy())
    return {ByteKind::floating, scalar};
  if (scalar->isPointerTy())
    return pointer_type();
  if (scalar->isIntegerTy())
    return integer_type();
  return {};
}

std::uint64_t byte_size(BasicType type, const llvm::DataLayout &layout) {
  switch (type.kind) {
  case ByteKind::floating:
    return layout.getTypeAllocSize(type.floating).getFixedValue();
  case ByteKind::pointer:
    return layout.getPointerSize();
  default:
    return word_bytes;
  }
}

} // namespace assay::engine
