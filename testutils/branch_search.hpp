#pragma once
// Inputs at which comparisons fall out otherwise, and inputs at their thresholds. This is search-based testing (Korel
// 1990; McMinn 2004): with l and r the operands of a comparison, |l - r| is the distance of a point to its other side.
//
//   chase      alternating variable method: one coordinate after the other is set to what would make l = r, then moved
//              in steps that double while the distance falls, and by the secant
//   bisection  between two points on different sides, to neighbouring numbers
//
// Everything follows from the seed; the budget is one of calls and of work that is counted, so that it is spent alike
// on every machine.

#include <assay/testing/branches.hpp>
#include <assay/testing/check.hpp>

#include <map>

namespace assay::testutils {

/// By site: whether it was false, and true, at any input.
using SidesSeen = std::vector<std::array<bool, 2>>;

/// What either has seen.
void join(SidesSeen &seen, const SidesSeen &other);

struct BranchSearchResult {
  std::vector<BranchPoint> points;
  SidesSeen seen;
  std::size_t calls = 0; ///< Of the tracer.
};

struct BranchBudget {
  std::size_t calls = 2000;
  std::size_t work = 4'000'000; ///< Comparisons, and numbers of inputs.
};

/// `options` gives the points that are checked anyway: what they show needs no point of its own.
BranchSearchResult search_branches(BranchTracer &tracer, const Signature &signature, const CheckOptions &options,
                                   const BranchBudget &budget = {});

/// Those of `all` whose derivatives show most of a subject's rules: of each mode the one in the plain form in which
/// most is active; none where no rule is used.
std::vector<Combination> combinations_to_trace(const Subject &subject, const std::vector<Combination> &all);

/// Of the user's comparisons that were reached, those that had one outcome only; one phrase each.
std::vector<std::string> unseen_sides(const std::vector<BranchSite> &sites, const SidesSeen &seen);

} // namespace assay::testutils
