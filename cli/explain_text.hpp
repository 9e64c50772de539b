#pragma once
// Explanations as text.

#include "cli/explain_command.hpp"

namespace assay::cli {

/// ` (line 12)`, or nothing.
std::string line_note(const engine::SourcePlace &place);
/// The text and that note, which is left out where the text ends with the place already.
std::string with_line(const std::string &text, const engine::SourcePlace &place);
/// `8 * n`, with its value where the arguments tell it: `8 * n = 80`.
std::string with_value(const engine::Formula &formula, const ExplainedFunction &function);
std::optional<std::int64_t> value_of(const engine::Formula &formula, const ExplainedFunction &function);

/// The tape by loops with its values and why, the values without a part, and why there is no derivative.
std::string explanation_summary(const ExplainedFunction &function);
/// One line a value.
std::string explanation_values(const ExplainedFunction &function);
/// The plan of each derivative of reverse mode, one decision a line.
std::string explanation_plan(const ExplainedFunction &function);
/// All that is known of the values called `name` (at `line`, where that is not 0). Throws BadRequest where there is
/// none.
std::string explanation_of_value(const ExplainedFunction &function, const std::string &name, unsigned line);

} // namespace assay::cli
