// Building methods: grids, coefficients, error multipliers and the method that bounds the truncation error.
#include <assay/fdm/method.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace assay::fdm {

namespace {

std::vector<double> consecutive(int first, int count) {
  std::vector<double> grid(
      static_cast<std::size_t>(std::max(count, 0))); // No points at all is refused later, with a reason.
  std::iota(grid.begin(), grid.end(), static_cast<double>(first));
  return grid;
}

std::vector<double> central_grid(int order) {
  auto grid = consecutive(-(order / 2), order % 2 == 0 ? order + 1 : order);
  if (order % 2 == 0)
    std::erase(grid, 0.0);
  return grid;
}

/// A grid of two more points that stays on the side(s) of x on which `grid` is. With only one more, the derivative of
/// the interpolating polynomial that bounds the error would be the same everywhere in the neighbourhood.
std::vector<double> larger_grid(const std::vector<double> &grid) {
  const int order = static_cast<int>(grid.size()) + 2;
  const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
  if (*least >= 0)
    return consecutive(0, order);
  if (*most <= 0)
    return consecutive(1 - order, order);
  return central_grid(order);
}

void require_usable(const std::vector<double> &grid, int derivative) {
  if (derivative < 0)
    throw std::invalid_argument("the order of a derivative cannot be negative");
  if (static_cast<int>(grid.size()) <= derivative)
    throw std::invalid_argument("a finite difference needs more points than the order of the derivative");
  if (!std::all_of(grid.begin(), grid.end(), [](double point) { return std::isfinite(point); }))
    throw std::invalid_argument("the points of a grid must be finite");
  if (std::set<double>(grid.begin(), grid.end()).size() != grid.size())
    throw std::invalid_argument("the points of a grid must be distinct");
}

void require_usable(const Options &options) {
  if (!(options.condition > 0) || !(options.factor > 0) || !(options.max_range > 0))
    throw std::invalid_argument("condition, factor and max_range must be positive");
  if (options.noise_points != 0 && options.noise_points < 5)
    throw std::invalid_argument("fourth differences need at least five points to measure noise");
  if (!(options.epsilon >= 0) || !(options.confirmation >= 0 && options.confirmation < 1) || options.adapt < 0)
    throw std::invalid_argument("epsilon and adapt must not be negative, and confirmation must be in [0, 1)");
}

std::vector<double> shifted(std::vector<double> grid, double distance) {
  for (double &point : grid)
    point -= distance;
  return grid;
}

double roundoff(const std::vector<long double> &coefs) {
  return static_cast<double>(std::accumulate(coefs.begin(), coefs.end(), 0.0L,
                                             [](long double sum, long double c) { return sum + std::fabs(c); }));
}

/// By multiplication: exact for the integers of most grids, and these methods are built for each look at a kink.
long double power(long double base, std::size_t exponent) {
  long double product = 1;
  for (std::size_t i = 0; i < exponent; ++i)
    product *= base;
  return product;
}

long double factorial(std::size_t number) {
  long double product = 1;
  for (std::size_t i = 2; i <= number; ++i)
    product *= static_cast<long double>(i);
  return product;
}

double truncation(const std::vector<double> &grid, const std::vector<long double> &coefs) {
  long double sum = 0;
  for (std::size_t i = 0; i < grid.size(); ++i)
    sum += std::fabs(coefs[i] * power(grid[i], grid.size()));
  return static_cast<double>(sum / factorial(grid.size()));
}

} // namespace

FiniteDifferenceMethod::FiniteDifferenceMethod(std::vector<double> points, int of_order, Options given)
    : grid(std::move(points)), derivative(of_order), options(given) {
  require_usable(grid, derivative);
  require_usable(options);
  coefs = finite_difference_coefficients(grid, derivative);
  // The derivative at x + d h, from the same points: they lie at g - d as seen from there.
  coefs_neighbourhood = {finite_difference_coefficients(shifted(grid, -1), derivative), coefs,
                         finite_difference_coefficients(shifted(grid, 1), derivative)};
  roundoff_multiplier = roundoff(coefs);
  truncation_multiplier = truncation(grid, coefs);
  if (options.adapt == 0)
    return;
  Options weaker = options;
  --weaker.adapt;
  bound_estimator = std::make_shared<const FiniteDifferenceMethod>(larger_grid(grid), order(), weaker);
}

FiniteDifferenceMethod central_fdm(int order, int derivative, Options options) {
  return {central_grid(order), derivative, options};
}

FiniteDifferenceMethod forward_fdm(int order, int derivative, Options options) {
  return {consecutive(0, order), derivative, options};
}

FiniteDifferenceMethod backward_fdm(int order, int derivative, Options options) {
  return {consecutive(1 - order, order), derivative, options};
}

FiniteDifferenceMethod fdm_on_grid(std::vector<double> grid, int derivative, Options options) {
  return {std::move(grid), derivative, options};
}

std::string_view describe(Trouble trouble) {
  switch (trouble) {
  case Trouble::none:
    return "no trouble";
  case Trouble::non_finite:
    return "the function is not finite near the point";
  case Trouble::no_room:
    return "the edge of the domain leaves no room for a step";
  case Trouble::steps_disagree:
    return "two step sizes disagree beyond their error estimates";
  case Trouble::not_analytic:
    return "the function does not continue analytically into the complex plane";
  }
  return "unknown trouble";
}

} // namespace assay::fdm
