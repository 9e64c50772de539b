#pragma once
// A request whose integers are drawn from ranges, or that names several points, becomes several requests with numbers
// alone: shapes. Each of them is checked and can be repeated on its own.

#include "cli/check_request.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// Small ones first. The request itself where nothing is open. Throws jit::BadRequest where no integers fit.
std::vector<CheckRequest> shapes_of(const CheckRequest &request);

/// The largest of those that are not brief.
CheckRequest largest_shape(const CheckRequest &request);

/// `n = 0, lda = 1; n = 40, lda = 43`: the integers that differ between the shapes.
std::string describe_shapes(const std::vector<CheckRequest> &shapes);

} // namespace assay::cli
