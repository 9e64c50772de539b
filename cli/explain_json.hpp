#pragma once
// Explanations as one JSON document.

#include "cli/explain_command.hpp"

namespace assay::cli {

std::string explanations_as_json(const std::vector<ExplainedFunction> &functions);

} // namespace assay::cli
