#pragma once
// What a run could not show, so that nobody takes a pass for more than it is.

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// One phrase each.
std::vector<std::string> not_seen(const Subject &subject);

} // namespace assay::testutils
