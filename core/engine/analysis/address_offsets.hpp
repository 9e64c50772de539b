#pragma once
// The byte offsets that addresses are moved by, as sets base + k * stride. Indices are followed a few operations deep,
// and induction variables give their increment as the stride; what is not understood may be anywhere.

#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {

/// The values that an integer can take, as far as it is understood.
OffsetSet integer_values(const llvm::Value &integer);
/// The byte offsets that the indices of a GEP add.
OffsetSet gep_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/// Each byte offset that the indices of a GEP may add, where its one variable index is chosen among a few constants;
/// otherwise none.
llvm::SmallVector<std::int64_t, 4> chosen_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/// The addresses that `pointer` is chosen among, where these are fields at fixed places; otherwise none.
llvm::SmallVector<const llvm::Value *, 4> chosen_fields(const llvm::Value &pointer);

/// What a number is seen to be a multiple of: something divides it without rest. 0 where nothing tells.
std::uint64_t exact_divisor(const llvm::Value &number);
/// True when `number` is seen to be a multiple of `size`.
bool is_multiple(const llvm::Value &number, std::uint64_t size);

/// The bytes from `subtrahend` to `minuend`, and `offset` more.
struct PointerDifference {
  const llvm::Value *minuend;
  const llvm::Value *subtrahend;
  std::int64_t offset;
};
/// What a GEP adds when its one variable index is the distance between two pointers.
std::optional<PointerDifference> gep_difference(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/// The byte offset of a field of an aggregate.
std::int64_t field_offset(const llvm::DataLayout &layout, llvm::Type *aggregate, llvm::ArrayRef<unsigned> path);

} // namespace assay::engine
