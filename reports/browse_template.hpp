#pragma once
// The text of browse.html, built in.

#include <string_view>

namespace assay::reports {

extern const std::string_view browse_template;

} // namespace assay::reports
