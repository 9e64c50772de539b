#include "reports/record.hpp"

#include <fmt/format.h>

namespace assay::reports {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
  case Outcome::passed:
    return "passed";
  case Outcome::failed:
    return "failed";
  case Outcome::undecided:
    return "undecided";
  }
  return "failed";
}

Totals totals_of(const std::vector<Record> &records) {
  Totals totals;
  for (const Record &record : records) {
    ++totals.checked;
    totals.passed += record.outcome == Outcome::passed;
    totals.failed += record.outcome == Outcome::failed;
    totals.undecided += record.outcome == Outcome::undecided;
  }
  return totals;
}

std::string closing_line(const Totals &totals) {
  return fmt::format("{} combinations checked, {} passed, {} failed, {} undecided", totals.checked, totals.passed,
                     totals.failed, totals.undecided);
}

} // namespace assay::reports
