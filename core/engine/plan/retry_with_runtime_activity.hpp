#pragma once
// A callee that mixes pointers without a shadow with others that have one cannot tell alone that no number is behind
// them. It is asked for once more, and gets that memory as its own shadow, which it tests for while it runs.

#include "core/engine/plan/derivative_source.hpp"
#include "core/engine/support/request.hpp"

namespace assay::engine {

/// The derivative in which the arguments `beside` are their own shadows; `request` is then what it was made for. Where
/// there are no such arguments, or no such derivative either: `reason`, why the first request failed.
llvm::Expected<llvm::Function *> retry_with_runtime_activity(DerivativeSource &engine, llvm::ArrayRef<unsigned> beside,
                                                             Request &request, llvm::Error reason);

} // namespace assay::engine
