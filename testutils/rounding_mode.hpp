#pragma once
// Another rounding mode of the processor for a while.

#include <cfenv>

namespace assay::testutils {

class RoundingMode {
public:
  /// As `std::fesetround` takes it.
  explicit RoundingMode(int mode) : before(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before); }
  RoundingMode(const RoundingMode &) = delete;
  RoundingMode &operator=(const RoundingMode &) = delete;

private:
  int before;
};

} // namespace assay::testutils
