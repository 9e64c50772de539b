#pragma once
// The chain of reasons that a diagnostic of types has in its one line, as steps: `...: looked at offset 0 of memory
// with 8: double; the memory is argument 1 'p', read as double (line 3); REMEDY`.

#include "core/engine/explain/explanation.hpp"
#include "llvm/ADT/StringRef.h"

namespace assay::engine {

/// Empty for messages without such a chain.
std::vector<ExplainedStep> chain_of_message(llvm::StringRef message);

} // namespace assay::engine
