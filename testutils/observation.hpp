#pragma once
// Measurements of right derivatives for reports: differences over steps, and times of calls.

#include "testutils/points.hpp"

#include <set>

namespace assay::testutils {

class Observation {
public:
  Observation(Points &points, const CheckOptions &options) : points_(points), options_(options) {}

  /// Fills `times`, and `steps` for the first right derivative in each mode. Of functions whose calls take long `times`
  /// for that alone.
  void add_to(Record &record);

private:
  Points &points_;
  const CheckOptions &options_;
  std::set<Mode> seen_;
};

} // namespace assay::testutils
