#pragma once
// The numbers of a point that a search may move, each within its domain.

#include "testutils/numbers.hpp"

namespace assay::testutils {

/// All elements of parameters that are neither fixed nor drawn with a structure.
class Coordinates {
public:
  explicit Coordinates(const Signature &signature);

  std::size_t count() const { return places_.size(); }
  double at(const Arguments &inputs, std::size_t coordinate) const;

  /// Puts another number there: the nearest one that the type, the domain and its step allow. False where there is
  /// none.
  bool move(Arguments &inputs, std::size_t coordinate, double value) const;
  /// The same of a copy.
  std::optional<Arguments> moved(const Arguments &inputs, std::size_t coordinate, double value) const;

  /// The size that numbers of this domain have.
  double scale(std::size_t coordinate) const;

  /// Coordinates of the same parameter, of which there are several.
  const std::vector<std::vector<std::size_t>> &arrays() const { return arrays_; }

private:
  const Signature &signature_;
  std::vector<std::pair<std::size_t, std::size_t>> places_; ///< Parameter and element.
  std::vector<std::vector<std::size_t>> arrays_;
};

} // namespace assay::testutils
