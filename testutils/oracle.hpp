#pragma once
// Finite differences of a subject at a point: columns of its Jacobian, and derivatives along directions. Columns are
// kept, since every activity combination is a weighted sum of the same columns.

#include "testutils/point.hpp"

#include <assay/fdm.hpp>

#include <map>

namespace assay::testutils {

/// A number with what is known of its error.
struct Guess {
  double value = 0;
  double error = 0;
  double step = 0;
  double radius = 0; ///< How far from the point, in units of the line's parameter, the function was looked at.
  fdm::Trouble trouble = fdm::Trouble::none;

  /// Adds weight * other; the errors add up, the largest step and the first trouble stay.
  void add(double weight, const Guess &other);
};

class Oracle {
public:
  Oracle(Subject &subject, const Point &point, const fdm::FiniteDifferenceMethod &method);

  const Point &at() const { return point; }
  const Signature &signature() const { return subject.signature(); }

  /// The derivatives of all flat outputs by one element of one parameter.
  const std::vector<Guess> &column(std::size_t parameter, std::size_t element);

  /// The derivatives of all flat outputs along a direction (empty Values: no movement).
  std::vector<Guess> along(const Arguments &direction);

  /// Whether <weights, y> is smooth along a direction within `radius` of the point.
  fdm::Smoothness smoothness(const Arguments &direction, const Values &weights, double radius);

private:
  Subject &subject;
  const Point &point;
  fdm::FiniteDifferenceMethod method;        ///< As asked for: for elements that are evaluated in float.
  fdm::FiniteDifferenceMethod method_double; ///< For elements that travel as double, with the function's own precision.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Guess>> columns;
};

} // namespace assay::testutils
