#pragma once
// Functions that run others in threads: what they run is not differentiated, and the error says so.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True for the functions behind pthreads, std::thread and the parallel regions of OpenMP.
bool starts_threads(const llvm::Function &function);

inline constexpr const char *threads_reason = "threads cannot be differentiated";
inline constexpr const char *threads_remedy =
    "compile without -fopenmp, or differentiate what one thread computes and start the threads around the derivative";

} // namespace assay::engine
