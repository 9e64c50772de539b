#pragma once
// A comparison in a loop has a threshold in each turn: an input may be compared with one entry of a table after the
// other. The number that it came closest to at some point is one of them.

#include "testutils/coordinates.hpp"

#include <assay/testing/branches.hpp>

#include <map>
#include <vector>

namespace assay::testutils {

class Turns {
public:
  explicit Turns(const Coordinates &coordinates) : coordinates_(coordinates) {}

  /// What `site` compared at `inputs`.
  void note(std::size_t site, const BranchSummary &summary, const Arguments &inputs);

  /// Points where an input is the number that it was compared with, each for another one.
  const std::vector<Arguments> &of(std::size_t site) { return thresholds_[site].points; }

private:
  struct Thresholds {
    Values numbers;
    std::vector<Arguments> points;
  };
  void note_pair(Thresholds &known, double input, double threshold, const Arguments &inputs) const;

  const Coordinates &coordinates_;
  std::map<std::size_t, Thresholds> thresholds_; ///< By site.
};

} // namespace assay::testutils
