#include <assay/fdm/detail/exact_coefficients.hpp>
#include <assay/fdm/method.hpp>

namespace assay::fdm {

std::vector<long double> finite_difference_coefficients(std::span<const double> grid, int derivative) {
  return detail::solve_for_coefficients<long double>(grid, derivative);
}

} // namespace assay::fdm
