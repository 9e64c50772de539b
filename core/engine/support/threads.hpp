#pragma once
// Functions that run others in threads, where these are not run in one thread (prepare/parallel_regions.hpp,
// prepare/started_threads.hpp): their code is not differentiated, and the error says so.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True for the functions behind pthreads, std::thread, std::async and the parallel regions of OpenMP.
bool starts_threads(const llvm::Function &function);

inline constexpr const char *threads_reason = "threads cannot be differentiated where they wait for one another at a "
                                              "barrier of POSIX or a condition_variable_any";
inline constexpr const char *threads_remedy =
    "differentiate what one thread computes and start the threads around the derivative, or wait for them by joins, "
    "conditions, latches or semaphores";

/// Of the function that registers the destructor of a thread_local variable: its shadow would have to be made once in
/// each thread.
inline constexpr const char *thread_variable_reason =
    "a thread_local variable with a destructor takes part in the derivative";
inline constexpr const char *thread_variable_remedy =
    "make it a local or a static variable, or mark the function that uses it as inactive";

} // namespace assay::engine
