#pragma once
// How far the rounding of a function's own arithmetic may have moved its results, found by experiment as for
// derivatives (spread.hpp): for code that is compiled anew as a part of a derivative, and rounds otherwise there.

#include "testutils/point.hpp"

namespace assay::testutils {

class PrimalSpread {
public:
  PrimalSpread(Subject &subject, const Point &point);

  /// Of one number of the result or of an argument at exit; infinite where it was not finite each time.
  double at(const Place &place) const;

private:
  void widen_by(const PrimalOutcome &other);

  const Point &point_;
  Values result_;
  Arguments contents_;
};

} // namespace assay::testutils
