#pragma once
// std::future, std::promise, std::async and std::call_once, where threads run where they are started
// (prepare/started_threads.hpp): the functions behind them that the library has as machine code.
//
//   once      runs its function where the flag does not say that it was run
//   results   of an asynchronous call begin, and end, without an exception
//   waiting   is over before it begins; a program that would wait for what comes later stops with a message

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True of a function whose calls are replaced.
bool is_answered_future(const llvm::Function &function);
/// True where there was such a call.
bool answer_futures(llvm::Function &function);

} // namespace assay::engine
