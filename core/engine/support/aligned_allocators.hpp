#pragma once
// Names of the functions that stand for allocations which a program aligns by hand: it asks malloc for more, rounds the
// address up and keeps the original one in the word before (prepare/aligned_allocations.hpp).

#include "llvm/ADT/StringRef.h"

namespace assay::engine {

/// ptr (i64 size, i64 alignment), and void (ptr).
inline constexpr llvm::StringLiteral aligned_allocate_name = "assay.aligned.allocate",
                                     aligned_release_name = "assay.aligned.release";

} // namespace assay::engine
