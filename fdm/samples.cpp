#include <assay/fdm/detail/samples.hpp>

#include <numeric>

namespace assay::fdm::detail {

double radius(std::span<const double> grid) {
  return std::transform_reduce(
      grid.begin(), grid.end(), 0.0, [](double a, double b) { return std::max(a, b); },
      [](double point) { return std::fabs(point); });
}

double largest_step(std::span<const double> grid, Reach reach, double max_range) {
  const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
  double step = std::numeric_limits<double>::infinity();
  if (*most > 0)
    step = std::min(step, std::min(reach.above, max_range) / *most);
  if (*least < 0)
    step = std::min(step, std::min(reach.below, max_range) / -*least);
  return step;
}

} // namespace assay::fdm::detail
