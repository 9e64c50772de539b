// Ratios of times, measured in pairs: primal, gradient and forward run directly after each other, many times, so that
// whatever slows the machine down slows all of them; the median of the ratios is reported.
// A geometric mean of each column ends the table.
#pragma once

#include "bench/jacobian.hpp"
#include "bench/kernel.hpp"

#include <string>
#include <vector>

namespace assay::bench {

struct RatioOptions {
  int pairs = 31;
  double seconds = 2e-3; ///< time of one measurement of the primal
};

struct Ratios {
  std::string name;
  double primal_seconds = 0; ///< median time of one evaluation
  double gradient = 0;       ///< median of gradient time / primal time
  double forward = 0;        ///< median of forward time / primal time
  double forward4 = 0;       ///< median of the time for 4 tangents / primal time / 4; 0 where it is not measured
  double forward8 = 0;       ///< the same with 8
  double spread = 0;         ///< interquartile range of the gradient's ratio
};

Ratios measure_ratios(const Kernel &kernel, const RatioOptions &options);

std::string ratio_table(const std::vector<Ratios> &ratios);

struct JacobianRatio {
  std::string name;
  double single_seconds = 0; ///< median time of the single calls
  double ratio = 0;          ///< median of the time / that of the single calls beside it
};

/// The first run is what the others are compared with.
std::vector<JacobianRatio> measure_jacobians(const std::vector<JacobianRun> &runs, const RatioOptions &options);
std::string jacobian_table(const std::vector<JacobianRatio> &ratios);

} // namespace assay::bench
