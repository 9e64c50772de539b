#include "testutils/oracle_comparison.hpp"

#include <cmath>
#include <limits>

namespace assay::testutils {

std::vector<Place> active_inputs(const Signature &signature, const Combination &combination) {
  std::vector<Place> places;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (combination.arguments[index] != Activity::constant)
      for (std::size_t element = 0; element < signature.parameters[index].size(); ++element)
        places.push_back({index, element, 0});
  return places;
}

Arguments no_direction(const Point &point) {
  Arguments direction;
  for (const Values &values : point.inputs)
    direction.push_back(Values(values.size()));
  return direction;
}

bool follows(const Oracle &oracle, const Arguments &direction, const Values &weights, double expected) {
  constexpr double part = 1.0 / 4;
  const auto change = oracle.change_along(direction, weights);
  return change && std::abs(change->first - expected * change->second) <= part * std::abs(expected * change->second);
}

double natural_scale(double y, double x) {
  return x == 0 ? std::numeric_limits<double>::infinity() : y / std::abs(x);
}

bool is_rough(fdm::Smoothness smoothness) {
  return smoothness == fdm::Smoothness::kink || smoothness == fdm::Smoothness::jump;
}

} // namespace assay::testutils
