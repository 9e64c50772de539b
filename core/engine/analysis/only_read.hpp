#pragma once
#include "llvm/IR/Argument.h"
#include <cstdint>

namespace assay::engine {

enum class MemoryAccessKind : std::uint8_t {
  read,
  unclear, ///< Nothing writes that is seen, but the pointer is kept, or passed to a function only known at run time.
  written  ///< Also where there is no code.
};

/// The accesses of a function, with all that it calls, to the memory behind a pointer parameter, and behind the
/// pointers in it. Only the code says so.
MemoryAccessKind access_through(const llvm::Argument &parameter);

} // namespace assay::engine
