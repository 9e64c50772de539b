#pragma once
// Inlining before differentiation: a call that is inlined needs no tape of its own and shows its memory to the
// analyses.

#include "core/engine/prepare/prepare.hpp"

namespace assay::engine {

/// Inlines into `function` the prepared clones of its callees: small ones always, larger ones while `function` stays
/// within a budget that is linear in its own size. Calls that a rule or the knowledge base speaks of stay calls.
llvm::Error inline_calls(llvm::Function &function, const PrepareContext &context);

} // namespace assay::engine
