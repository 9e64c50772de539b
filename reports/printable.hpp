#pragma once
// Text that came from a checked function may hold any bytes; the output is UTF-8 without control characters.

#include <string>
#include <string_view>

namespace assay::reports {

/// With `\xNN` for each byte that is no UTF-8, and of control characters but the tab and the end of a line.
std::string printable(std::string_view text);

} // namespace assay::reports
