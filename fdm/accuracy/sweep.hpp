#pragma once
// How accurate finite differences are, measured: functions with closed forms, orders, derivatives, precisions, steps.

#include <string>
#include <vector>

namespace assay::fdm::accuracy {

/// One finite difference beside the truth. Errors are relative to the truth.
struct Measurement {
  std::string function, precision;
  double x = 0;
  int order = 0, derivative = 1;
  double step = 0;
  double error = 0;    ///< |value - truth| / |truth|
  double estimate = 0; ///< The method's own estimate of its error.
};

struct Sweep {
  /// sin(x) at 1 with given steps: orders 3, 5, 7 and 9 in double, and order 5 in every precision.
  std::vector<Measurement> steps;
  /// Every function with the step that the method chooses: orders 2 to 11, derivatives 1 to 4, every precision.
  std::vector<Measurement> adapted;
};

/// float, double, long double, cpp_bin_float_quad, cpp_dec_float_50: as `precision` names them.
std::vector<std::string> precisions();

Sweep run_sweep();

} // namespace assay::fdm::accuracy
