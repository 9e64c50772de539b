#pragma once

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Functions that derivatives call as they are, because they carry none, get copies in which threads run where they are
/// started (prepare/started_threads.hpp): the destructor of a vector of std::jthread, say, waits for threads that have
/// been run.
void run_threads_of_callees(llvm::Module &module);

} // namespace assay::engine
