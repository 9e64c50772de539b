#pragma once
// How much a call leaves on the heap of the process, whoever allocated it. Memory that a single call leaves may be kept
// for later ones: growth shows in every round of calls.

#include <cstddef>
#include <functional>

namespace assay::testutils {

/// Bytes that every call leaves behind, at least; 0 where the heap does not always grow, or where the C library cannot
/// tell.
std::size_t heap_growth(const std::function<void()> &call);

/// The same of memory beside the heap, which the process has mapped; in whole pages.
std::size_t mapping_growth(const std::function<void()> &call);

} // namespace assay::testutils
