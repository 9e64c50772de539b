#pragma once
// Containers of std::pmr whose memory resource is the one that allocates with new, as the default resource does unless
// the program sets another: its code is the library's, and what it does is known. Calls of `do_allocate` and
// `do_deallocate` through a virtual table first ask whether the resource is that one.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where there were such calls.
bool allocate_by_default_resource(llvm::Function &function);

} // namespace assay::engine
