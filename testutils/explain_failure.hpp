#pragma once
// A failure made as simple as it can be, with its cause: shrunk inputs, the fewest activities, the rule, the place.

#include "testutils/blame.hpp"

#include <map>

namespace assay::testutils {

/// Found while earlier failures of the same function were explained.
struct EarlierFailures {
  struct InMode {
    std::vector<Arguments> failing_points;
    unsigned full_shrinks = 0, explained = 0, localisations = 0, experiments = 0, named_inputs = 0;
    EarlierBlame blame;
  };
  std::map<Mode, InMode> in; ///< Modes are explained apart, so that one says the same with and without the other.
};

/// `record` as it is, unless it is a failure.
Record explain_failure(Subject &subject, Record record, const CheckOptions &options, unsigned sample,
                       EarlierFailures &earlier);

} // namespace assay::testutils
