#pragma once
// The data of the page's scripts: one JSON object. Records are in it by short names (page/model.js says them in
// full), words that repeat by their number in a list, numbers with the digits that the page shows; all there is to know
// is in records.jsonl.

#include "reports/report_page.hpp"

namespace assay::reports {

/// For within a script element: nothing in it looks like the end of one.
std::string page_data(const PageContents &contents);

} // namespace assay::reports
