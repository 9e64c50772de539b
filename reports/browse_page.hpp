#pragma once
// A page for many records: search, filter, sorting, the details of one at a click. The records are in the page as JSON
// and a script of the page shows them, so that ten thousand open at once; it needs no network.

#include "reports/baseline.hpp"

#include <set>

namespace assay::reports {

struct BrowsedRun {
  const Run &run;
  std::optional<std::vector<Change>> changes = std::nullopt; ///< Since a baseline.
  std::set<std::string> known_cases = {};                    ///< That failed in earlier nights.
  std::vector<std::pair<std::string, std::string>> facts = {};
};

std::string to_browse_page(const BrowsedRun &browsed);

} // namespace assay::reports
