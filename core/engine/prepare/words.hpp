#pragma once
// Words of eight bytes, which hold a double or an address.

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"
#include <cstdint>

namespace assay::engine {

constexpr std::uint64_t word_size = 8;

inline std::uint64_t size_of(const llvm::Value &value, const llvm::DataLayout &layout) {
  return layout.getTypeStoreSize(value.getType()).getFixedValue();
}

} // namespace assay::engine
