#pragma once
// Where the memory of a tape comes from that is not on the stack.

#include <cstdint>

namespace assay::engine {

enum class TapeHome : std::uint8_t {
  heap,
  memory_stack, ///< The gradient's own (emit/memory_stack.hpp).
  pool,         ///< The thread's (emit/tape_pool.hpp).
};

} // namespace assay::engine
