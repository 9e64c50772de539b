#pragma once
// A run as Markdown, for a code review: totals, changes, failures with the command that repeats each.

#include "reports/baseline.hpp"

namespace assay::reports {

/// `changes` since a baseline; absent where there is none.
std::string to_markdown(const Run &run, const std::optional<std::vector<Change>> &changes = std::nullopt);

} // namespace assay::reports
