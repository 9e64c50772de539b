#pragma once
// What the pattern of an error suggests about its cause.

#include "testutils/finding.hpp"

namespace assay::testutils {

/// All hints that fit the rows that differ, one sentence each, the most telling first.
std::vector<std::string> hints_for(const Signature &signature, const Point &point, const DerivativeRequest &request,
                                   const Finding &finding);

} // namespace assay::testutils
