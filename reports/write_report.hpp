#pragma once
// A report folder: records.jsonl, junit.xml, index.html, report.md, report.sarif. Each file appears whole or not at
// all.

#include "reports/record.hpp"

#include <filesystem>

namespace assay::reports {

/// Writes beside the target and renames. Throws std::runtime_error where the file cannot be written.
void write_whole_file(const std::filesystem::path &file, std::string_view text);

/// Whether the records in `folder` are those of a night, which a report must not overwrite.
bool holds_records_of_night(const std::filesystem::path &folder);

/// Makes `folder` if there is none. With a `baseline`, the changes since that are in it. Throws std::runtime_error.
void write_report(const std::filesystem::path &folder, const Run &run, const Run *baseline = nullptr);

/// Reads `folder`/records.jsonl. Throws std::runtime_error.
Run read_report(const std::filesystem::path &folder);

} // namespace assay::reports
