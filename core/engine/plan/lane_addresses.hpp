#pragma once
// Whether the address of an access may be the same in several lanes of a warp: uniform, as that of a parameter, or
// grouped, as that of a row of a tile. It chooses warp-aggregated atomic sums (emit/warp_adds.hpp); both ways are
// right.

#include "llvm/IR/Value.h"

namespace assay::engine {

enum class LaneAddresses : std::uint8_t {
  apart,         ///< By the number of the thread, or nobody knows: by numbers in memory.
  perhaps_alike, ///< The number of the thread has no part in the address, or only a quotient or remainder of it.
};

LaneAddresses lane_addresses(const llvm::Value &pointer);

} // namespace assay::engine
