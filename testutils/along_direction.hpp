#pragma once
// A function of many numbers as one number along a direction: t -> <w, y(x + t v)>.

#include "testutils/point.hpp"

namespace assay::testutils {

class AlongDirection {
public:
  /// All of these must outlive it.
  AlongDirection(Subject &subject, const Point &point, const Arguments &direction, const Values &weights)
      : subject_(subject), point_(point), direction_(direction), weights_(weights) {}

  /// At the point itself; nothing is run.
  double start() const;
  /// Nothing where that is outside of the domain. Throws SubjectError where the function cannot be run there.
  std::optional<double> at(double step) const;

private:
  double weighted_sum(const Values &flat) const;

  Subject &subject_;
  const Point &point_;
  const Arguments &direction_;
  const Values &weights_;
};

} // namespace assay::testutils
