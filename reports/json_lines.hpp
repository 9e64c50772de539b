#pragma once
// Records as JSON, one a line: a line of kind "run", then one of kind "figure" for each drawing, one of kind "record"
// for each combination, then "totals".

#include "reports/record.hpp"

namespace assay::reports {

/// One line without its end.
std::string to_json_line(const Record &record);
/// The inverse. Throws std::runtime_error for a line that is no record or has another schema version.
Record record_from_json_line(std::string_view line);

std::string to_json_lines(const Run &run);
/// Its first and its last line, without their ends.
std::string run_line(const Run &run);
std::string totals_line(const Run &run);

/// Whether the records of a night begin with `line`.
bool is_head_of_night(std::string_view line);

/// The inverse of to_json_lines, as far as it goes: an interrupted file gives the records that it holds.
Run run_from_json_lines(std::string_view text);

} // namespace assay::reports
