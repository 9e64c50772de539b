#pragma once
// Conditions, semaphores and waits for atomic variables, where threads run where they are started
// (prepare/started_threads.hpp): all that an earlier thread does is done when a later one waits.
//
//   conditions   nobody waits for them, so that nobody need be told; with a time limit, that is over
//   semaphores   are taken where they are free
//   futexes      behind std::latch, std::barrier, std::counting_semaphore, std::jthread and std::atomic::wait: over
//                where the variable has changed
//
// A program that would wait for a later event stops with a message.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True of a function whose calls are replaced, all or some of them.
bool may_wait(const llvm::Function &function);
/// All of them.
bool is_answered_wait(const llvm::Function &function);
/// True where there was such a call.
bool answer_waits(llvm::Function &function);

} // namespace assay::engine
