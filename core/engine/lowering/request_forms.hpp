#pragma once
// Forms of a request: the one that derivatives are kept by, that of the other half of a split derivative, its name and
// its options.

#include "core/engine/support/request.hpp"
#include "core/engine/support/type_options.hpp"

namespace assay::engine {

/// The prefix of the function's name in that of the derivative.
llvm::StringRef name_prefix(Mode mode);
bool is_split(Mode mode);
/// Requests that lead to the same code become equal.
Request normalised(const Request &request);
/// Augmented and split reverse are two halves of one plan: the request of the other half.
Request other_half(const Request &request);
/// Those of the file, with the request's own.
TypeOptions options_of_types(const Request &request);

} // namespace assay::engine
