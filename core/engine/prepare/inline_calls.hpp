#pragma once
// Inlining before differentiation: a call that is inlined needs no tape of its own and shows its memory to the
// analyses.

#include "core/engine/prepare/prepare.hpp"

namespace assay::engine {

/// Inlines callees that are called at one place into `function`, the clone of `source`, as they are, together with what
/// they call in turn: a chain of calls is simplified once.
void merge_callees(llvm::Function &function, const llvm::Function &source, const PrepareContext &context);

/// Inlines into `function` the prepared clones of its callees: small ones always, larger ones within a budget. Calls
/// that a rule or the table of functions speaks of stay calls.
llvm::Error inline_calls(llvm::Function &function, const PrepareContext &context);

/// Inlines the helpers that move words (analysis/tagged_copies.hpp), which `inline_calls` leaves alone. True when there
/// were any.
llvm::Expected<bool> inline_tagged_copies(llvm::Function &function, const PrepareContext &context);

} // namespace assay::engine
