#pragma once
// All checks of one combination at one point.

#include "testutils/earlier_calls.hpp"
#include "testutils/finding.hpp"

namespace assay::testutils {

/// A point with its oracles, shared by all combinations. `closer` looks only at the immediate neighbourhood, for points
/// beside a kink or an edge.
struct Stage {
  Stage(Subject &subject, const Arguments &inputs, const CheckOptions &options, unsigned sample);
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  Subject &subject;
  const CheckOptions &options;
  CaseName name;
  Point point;
  PreciseOracle precise;
  WideOracle wide;
  FiniteDifferenceOracle oracle;
  FiniteDifferenceOracle closer;
  EarlierCalls earlier;
};

/// Not shrunk, without neighbours.
Record run_checks(Stage &stage, const Combination &combination);

/// Only the primal and one derivative against the oracle: for many points, where a few show all the rest.
Record run_brief_checks(Stage &stage, const Combination &combination);

/// The same, and the effects and the derivative of rules: at a side that usual points do not take.
Record run_side_checks(Stage &stage, const Combination &combination);

/// Far from usual magnitudes, where the function may not do what it was made for: a failure is only a derivative that
/// is zero or not finite where it is neither.
Record run_range_checks(Stage &stage, const Combination &combination);

/// One derivative against wide arithmetic, where that can tell and the derivative is finite.
Record run_edge_checks(Stage &stage, const Combination &combination);

/// The same, and the checks that must hold bit for bit.
Record run_threshold_checks(Stage &stage, const Combination &combination);

} // namespace assay::testutils
