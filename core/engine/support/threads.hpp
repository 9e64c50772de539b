#pragma once
// Functions that run others in threads, or where one ends: what they run is not differentiated, and the error says so.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True for the functions behind pthreads and std::thread, and for those of OpenMP's that parallel regions leave
/// (prepare/parallel_regions.hpp).
bool starts_threads(const llvm::Function &function);

inline constexpr const char *threads_reason = "threads cannot be differentiated";
inline constexpr const char *threads_remedy =
    "differentiate what one thread computes and start the threads around the derivative, or use parallel regions of "
    "OpenMP, whose derivatives run in one thread";

/// Of what registers the destructor of a thread_local variable: its shadow would have to be made once in each thread.
inline constexpr const char *thread_variable_reason =
    "a thread_local variable with a destructor takes part in the derivative";
inline constexpr const char *thread_variable_remedy =
    "make it a local or a static variable, or mark the function that uses it as inactive";

} // namespace assay::engine
