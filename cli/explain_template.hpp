#pragma once
// The text of explain.html, built in.

#include <string_view>

namespace assay::cli {

extern const std::string_view explain_template;

} // namespace assay::cli
