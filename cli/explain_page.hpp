#pragma once
// Explanations as one HTML page: the source with the values each line keeps, and the story of each value.

#include "cli/explain_command.hpp"

namespace assay::cli {

std::string explanations_as_page(const std::vector<ExplainedFunction> &functions);

} // namespace assay::cli
