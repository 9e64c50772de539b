#pragma once
// The failures of a run as SARIF 2.1.0, which code hosts and editors show beside the source.

#include "reports/baseline.hpp"

namespace assay::reports {

/// With `changes` since a baseline each result says whether it is new.
std::string to_sarif(const Run &run, const std::optional<std::vector<Change>> &changes = std::nullopt);

} // namespace assay::reports
