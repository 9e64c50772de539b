#pragma once
// How much of the check a function gets, from what a call of it costs. Costs are counted, so the same function gets the
// same on every run and on every machine; see effort.cpp for the table.

#include "testutils/combinations.hpp"

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// A function at one shape of its arguments.
struct CostOfShape {
  CallCost call;
  std::size_t numbers = 0;       ///< In all arguments and the result.
  std::size_t active_inputs = 0; ///< That can be differentiated.
};

CostOfShape cost_of_shape(const CallCost &call, const Signature &signature);

/// What the user wants, and what is not to be changed.
struct WantedEffort {
  double seconds = 20;          ///< Of processor time, about.
  std::size_t combinations = 0; ///< How many there are.
  std::size_t budget = 0;       ///< Not zero: so many of them, as the user says.
  unsigned samples = 1;         ///< At each shape.
  bool keeps_samples = false;   ///< The user says so.
  bool has_further_points = true;
  std::string cost = {}; ///< Of a call, in words; empty: counted operations.
};

struct Effort {
  Depth depth = Depth::every_check;
  unsigned samples = 1, brief_samples = 0, edge_samples = 0;
  unsigned scanned_samples = 0; ///< At most; of each shape.
  std::size_t combinations = 0; ///< How many are checked.
  std::size_t affordable = 0;   ///< How many could be.
  /// Whether the shapes use wide arithmetic, in their order: the cheapest ones that there is time for.
  std::vector<bool> wide_shapes{};
  unsigned explanations = std::numeric_limits<unsigned>::max(), shrink_steps = 200, localisations = 2,
           earlier_calls = 96;
  std::string left_out; ///< `24 of 96 combinations, 1 of 3 points: a call takes 1.2e+08 operations`; empty: nothing.
};

Effort choose_effort(const std::vector<CostOfShape> &shapes, const WantedEffort &wanted);

/// So many of `all`, in their order, drawn with the seed: the fullest plain one of each mode, and each other one as
/// likely as the next.
std::vector<Combination> draw_combinations(const std::vector<Combination> &all, std::size_t count,
                                           const CheckOptions &options);

/// The offered combinations that the effort allows: patterns only where all usual ones are checked.
std::vector<Combination> fit_combinations(OfferedCombinations offered, const Effort &effort,
                                          const CheckOptions &options);

} // namespace assay::testutils
