#pragma once
// Whether lanes of a warp that run an access together may mean one place of memory, as where all read a parameter or
// the row of a tile. It decides how sums in memory are made, not whether they are right.

#include "llvm/IR/Value.h"

namespace assay::engine {

enum class LaneAddresses : std::uint8_t {
  apart,         ///< By the number of the thread, or nobody knows: by numbers in memory.
  perhaps_alike, ///< The number of the thread has no part in the address, or only a quotient or remainder of it.
};

LaneAddresses lane_addresses(const llvm::Value &pointer);

} // namespace assay::engine
