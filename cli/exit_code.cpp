#include "cli/exit_code.hpp"

#include "cli/convert_record.hpp"

#include <assay/testing/record.hpp>
#include <fmt/format.h>

namespace assay::cli {

namespace {

/// No gradient can be judged where the function itself crashes, ends the process or does not come to an end. A random
/// program, whose modes are levels, holds its derivatives: its crash is theirs.
bool has_no_primal(const reports::Record &record) {
  return record.activities.empty() && !record.mode.starts_with("-O") &&
         (record.verdict == testutils::name_of(testutils::Verdict::no_answer) ||
          record.verdict == testutils::name_of(testutils::Verdict::crash));
}

std::string first_line_of(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

} // namespace

bool is_refused(const reports::Record &record) {
  return record.verdict == no_derivative;
}

void Verdicts::add(const reports::Record &record) {
  if (has_no_primal(record))
    without_primal_ =
        fmt::format("{} cannot be checked: {} gives no answer, {}", record.function, record.mode, record.detail);
  else if (record.verdict == cannot_be_checked)
    without_primal_ = fmt::format("{} cannot be checked: {}", record.function, first_line_of(record.detail));
  else if (is_refused(record))
    refused_ = fmt::format("{} cannot be differentiated: {}", record.function, first_line_of(record.detail));
  else if (record.outcome == reports::Outcome::failed)
    is_something_wrong_ = true;
}

ExitCode Verdicts::told() const {
  if (is_something_wrong_)
    return something_failed;
  const std::string &reason = without_primal_.empty() ? refused_ : without_primal_;
  if (reason.empty())
    return all_passed;
  fmt::print(stderr, "assay: {}\n", reason);
  return unusable_request;
}

} // namespace assay::cli
