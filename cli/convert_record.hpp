#pragma once
// The gradient check's record as a report's record.

#include "cli/check_request.hpp"
#include "reports/record.hpp"
#include <assay/testing/record.hpp>

namespace assay::cli {

reports::Record convert_record(const CheckRequest &request, const testutils::Signature &signature,
                               const testutils::Record &record);

/// The verdict of a combination that the engine has no derivative for.
inline constexpr std::string_view no_derivative = "no derivative";
/// Turns `record` into one that says so, with the engine's reason.
void mark_refused(reports::Record &record, const std::string &reason);

/// The record before a combination is run: reported with `verdict` if it never returns. Null is the function itself.
reports::Record unfinished_record(const CheckRequest &request, const testutils::Signature &signature,
                                  const testutils::Combination *combination);

} // namespace assay::cli
