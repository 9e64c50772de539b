#pragma once
// One HTML page with everything in it: no scripts, no other files, readable in light and dark and on a phone.

#include "reports/record.hpp"

namespace assay::reports {

std::string to_html_page(const Run &run);

} // namespace assay::reports
