#pragma once
// The messages of combinations that fail, where only the plain form of a derivative is looked at.

#include <assay/testing.hpp>

#include <string>

namespace assay::suites {

inline const TestOptions plainly{.variations = off};

inline std::string messages_of(const testutils::Report &report) {
  std::string text;
  for (const testutils::Record &record : report.records)
    if (testutils::outcome_of(record.verdict) == testutils::Outcome::failed)
      text += testutils::failure_message(report.signature, record);
  return text;
}

} // namespace assay::suites
