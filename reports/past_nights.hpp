#pragma once
// Earlier nights: their totals, and the outcome of a case in each.

#include "reports/record.hpp"

#include <map>

namespace assay::reports {

struct PastNights {
  struct Night {
    std::string day; ///< `2031-02-03`.
    std::uint64_t seed = 0;
    std::size_t cases = 0;
    Totals totals;
  };
  std::vector<Night> nights; ///< Oldest first.
  /// By the name of a case, one letter for each of the nights: p passed, f failed, u undecided, n no answer, `.` not
  /// run.
  std::map<std::string, std::string> letters;
};

} // namespace assay::reports
