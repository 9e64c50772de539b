#pragma once

namespace assay::jit {

/// Sets all bits of the stack that the next call is going to use, beneath the caller's own frame: numbers that it reads
/// without having written them are NaNs, as in new memory under a HeapWatch.
void poison_stack();

} // namespace assay::jit
