#pragma once
// The page of a report: one file that needs no network. Its data are in it as JSON (page_data.hpp), and scripts of
// the page draw it, so that ten thousand records open at once. The parts are in page/: the page itself is a Mustache
// template, its tables are filled from its <template> elements, its plots drawn by Chart.js, which is in the page as a
// whole.

#include "reports/baseline.hpp"
#include "reports/past_nights.hpp"

#include <set>

namespace assay::reports {

struct PageContents {
  const Run &run;
  std::optional<std::vector<Change>> changes = std::nullopt; ///< Since a baseline.
  std::set<std::string> known_cases = {};                    ///< That failed in earlier nights.
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::optional<PastNights> past = std::nullopt;
};

std::string report_page(const PageContents &contents);

/// Of a run of `assay check`, or of figures alone.
std::string report_page(const Run &run, const std::optional<std::vector<Change>> &changes = std::nullopt);

} // namespace assay::reports
