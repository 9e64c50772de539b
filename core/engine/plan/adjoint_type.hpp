#pragma once
// The type in which the adjoint of a value is kept.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/DerivedTypes.h"

namespace assay::engine {

/// Floating, or an aggregate with floating parts: also of an integer that carries floating-point numbers.
inline llvm::Type *adjoint_type_of(const llvm::Value &value, const TypeAnalysis &types) {
  llvm::Type *type = value.getType();
  if (!type->isIntOrIntVectorTy())
    return type;
  const BasicType basic = types.of(value);
  if (basic.kind != ByteKind::floating)
    return type;
  const unsigned floats =
      type->getPrimitiveSizeInBits().getFixedValue() / basic.floating->getPrimitiveSizeInBits().getFixedValue();
  return floats > 1 ? llvm::FixedVectorType::get(basic.floating, floats) : basic.floating;
}

} // namespace assay::engine
