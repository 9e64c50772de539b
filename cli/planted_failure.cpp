#include "cli/planted_failure.hpp"

#include "cli/convert_record.hpp"
#include <algorithm>
#include <assay/testing/record.hpp>

namespace assay::cli {

void judge_planted_failure(std::vector<reports::Record> &records) {
  const auto failed = [](const reports::Record &record) {
    return record.outcome == reports::Outcome::failed && record.verdict != no_derivative &&
           record.verdict != testutils::name_of(testutils::Verdict::crash) &&
           record.verdict != testutils::name_of(testutils::Verdict::no_answer);
  };
  const bool caught = std::any_of(records.begin(), records.end(), failed);
  for (reports::Record &record : records) {
    if (caught && failed(record)) {
      record.outcome = reports::Outcome::passed;
      record.expected_failure = true;
    } else if (!caught && record.outcome != reports::Outcome::failed) {
      record.outcome = reports::Outcome::failed;
      record.detail = "marked with ASSAY_CHECK_FAILS, but no combination failed";
      record.message = record.detail;
    }
  }
}

} // namespace assay::cli
