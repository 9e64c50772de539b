#pragma once
// Threads that a program starts by itself (pthreads, C's and std::thread), run where they are started. A program
// without races in which none waits for what comes later computes the same so, and its derivative needs no adjoints
// that several threads add to.

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Whether its calls are replaced.
bool is_answered_for_threads(const llvm::Function &function);

/// True where threads wait for one another in ways that have no answer (prepare/thread_waits.hpp): at barriers of
/// POSIX, say. What they wait for may come after their start.
bool has_waiting_threads(const llvm::Module &module);

/// Calls the function that `function` would start a thread for, and keeps its result for who joins it. True where there
/// was one.
bool run_threads_where_started(llvm::Function &function);

/// The same for a call that goes to one of several functions by its address. std::async passes on that of
/// std::thread::join, and destructors of results stand in tables of virtual functions.
void answer_by_address(llvm::CallBase &call);

/// The same for a whole program.
void run_threads_where_started(llvm::Module &module);

} // namespace assay::engine
