#pragma once
// What a search for a comparison's side or threshold wants, and how far from it a call was.

#include <assay/testing/branches.hpp>

namespace assay::testutils {

struct BranchGoal {
  enum class Wanted : std::uint8_t { is_false, is_true, is_equal };
  std::size_t site = 0;
  Wanted wanted = Wanted::is_true;
};

struct Distance {
  bool is_met = false;
  double size = 0;            ///< Of left - right; infinite where the comparison was not reached.
  double left = 0, right = 0; ///< Of the comparison that came closest.

  bool is_reached() const;
  bool is_below(const Distance &other) const { return (is_met && !other.is_met) || size < other.size; }
};

Distance distance_to(const BranchGoal &goal, const BranchTrace &trace);

} // namespace assay::testutils
