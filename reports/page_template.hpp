#pragma once
// The text of page.html, built in.

#include <string_view>

namespace assay::reports {

extern const std::string_view page_template;

} // namespace assay::reports
