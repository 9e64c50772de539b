#pragma once
// Failures that a project knows of: they do not fail a run until the day on which they expire.

#include "reports/record.hpp"

#include <string>
#include <vector>

namespace assay::cli {

struct KnownFailure {
  std::string function;
  std::string file, mode; ///< Empty: any.
  std::string reason;
  std::string expires; ///< YYYY-MM-DD, the last day on which it counts.
  std::string place;   ///< `assay.toml:12`.
};

/// YYYY-MM-DD of this machine's clock.
std::string today();
/// Whether `text` is a day as YYYY-MM-DD.
bool is_day(const std::string &text);

/// Failed records that are known and not expired become undecided, with the reason.
void judge_known_failures(std::vector<reports::Record> &records, const std::vector<KnownFailure> &known,
                          const std::string &day);

/// Of a whole run that is judged: failures that have expired, and those whose function no longer fails.
std::vector<std::string> known_failure_notes(const std::vector<reports::Record> &records,
                                             const std::vector<KnownFailure> &known, const std::string &day);

} // namespace assay::cli
