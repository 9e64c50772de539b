// Jacobians of 100 results by 100 inputs: by one call for each column or row, and several at once.
#pragma once

#include <vector>

namespace assay::bench {

struct JacobianRun {
  const char *name;
  /// The sum of all elements with weights, so that nothing is left out.
  double (*run)(const std::vector<double> &x);
};

/// Those of forward mode first; the first of each mode is the one with single calls.
std::vector<JacobianRun> forward_jacobians();
std::vector<JacobianRun> reverse_jacobians();
std::vector<double> input_of_jacobians();

} // namespace assay::bench
