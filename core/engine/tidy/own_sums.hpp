#pragma once
// Sums of a kernel at places of the thread's own, read from their offsets (own_places.hpp).

#include "core/engine/analysis/thread_offsets.hpp"
#include "llvm/Analysis/ScalarEvolution.h"

#include <optional>

namespace assay::engine {

/// Bytes [low, high) of the thread's segment, in which a sum lies.
struct Segment {
  std::int64_t low = 0, high = 0;
};

/// One sum by each thread: at m * tid + row * ctaid + shift, and there in a segment.
struct OwnSum {
  std::int64_t multiple = 0; ///< m, in bytes.
  ThreadOffset row, shift;
  Segment segment;
  bool goes_on = false;      ///< With steps of all threads of the launch.
  bool keeps_in_row = false; ///< With steps of all threads of the block, and below the end of the row.
};

/// What is known to be below what.
using Bounds = llvm::SmallVector<std::pair<ThreadOffset, ThreadOffset>, 2>;

/// What counters of loops can be.
class Counters {
public:
  explicit Counters(llvm::ScalarEvolution &evolution) : evolution_(evolution) {}

  /// From 0, or nothing where no constant bounds it.
  std::optional<std::int64_t> most(const llvm::Value &counter) const;

private:
  llvm::ScalarEvolution &evolution_;
};

/// m of `m * tid`, where the thread's number stands nowhere else.
std::optional<std::int64_t> multiple_in(const ThreadOffset &bytes);

/// Whether the term is the same for all threads.
bool is_uniform(const ThreadTerm &term);

/// A sum of `size` bytes at `bytes`; nothing where several threads may mean a place.
std::optional<OwnSum> read_own_sum(const ThreadOffset &bytes, std::int64_t multiple, std::int64_t size,
                                   const Counters &counters, const Bounds &bounds);

} // namespace assay::engine
