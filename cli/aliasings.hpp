#pragma once
// A function checked once for each way in which its pointer parameters may share memory.

#include "cli/check_request.hpp"

#include <vector>

namespace assay::cli {

/// The request itself, then one with `alias` in its specs for each further way: each partition of the pointers into
/// those that are the same memory. Pointers share if they have one type, none is restrict, one has room for the other,
/// and only one of both says from where its numbers are drawn, or both say the same. A request in which parameters
/// share memory already stays alone. Of many partitions, those in which two share and those in which most do; a note
/// says so. Throws jit::BadRequest where no integers fit.
std::vector<CheckRequest> with_aliasings(const CheckRequest &request);

} // namespace assay::cli
