#include "testutils/coordinates.hpp"

#include "testutils/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

/// Where a domain has no limit: products of a few such numbers do not overflow.
constexpr double largest = 0x1p40;
/// Beside a limit the derivative may grow without bound: numbers that would be beyond the limit stop before it.
constexpr double margin_of_domain = 0x1p-6;

bool moves(const Parameter &parameter) {
  return parameter.fixed.empty() && parameter.domain.structure == gen::Structure::none;
}

double within_limits(const Domain &domain, double value) {
  const double width = std::isfinite(domain.high - domain.low) ? domain.high - domain.low : domain.scale;
  if (value <= domain.low)
    return domain.low + margin_of_domain * width;
  if (value >= domain.high)
    return domain.high - margin_of_domain * width;
  const double most = largest * std::max(1.0, domain.scale);
  return std::clamp(value, std::max(domain.low, -most), std::min(domain.high, most));
}

} // namespace

Coordinates::Coordinates(const Signature &signature) : signature_(signature) {
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (!moves(parameter))
      continue;
    std::vector<std::size_t> array;
    for (std::size_t element = 0; element < parameter.size(); ++element) {
      array.push_back(places_.size());
      places_.emplace_back(index, element);
    }
    if (array.size() > 1)
      arrays_.push_back(std::move(array));
  }
}

double Coordinates::at(const Arguments &inputs, std::size_t coordinate) const {
  return inputs[places_[coordinate].first][places_[coordinate].second];
}

double Coordinates::scale(std::size_t coordinate) const {
  return signature_.parameters[places_[coordinate].first].domain.scale;
}

bool Coordinates::move(Arguments &inputs, std::size_t coordinate, double value) const {
  if (!std::isfinite(value))
    return false;
  const auto [index, element] = places_[coordinate];
  const Parameter &parameter = signature_.parameters[index];
  const Domain &domain = parameter.domain;
  double allowed = value;
  if (parameter.element == ElementType::integer) { // Both limits are included.
    const double most = std::ldexp(1, 20);
    allowed = std::clamp(std::round(value), std::max(domain.low, -most), std::min(domain.high, most));
  } else {
    allowed = within_limits(domain, value);
    if (domain.step != 0)
      allowed = std::round(allowed / domain.step) * domain.step;
    allowed = rounded_to(parameter.element_type(element), allowed);
    if (!contains(domain, allowed))
      return false;
  }
  inputs[index][element] = allowed;
  return true;
}

std::optional<Arguments> Coordinates::moved(const Arguments &inputs, std::size_t coordinate, double value) const {
  Arguments point = inputs;
  return move(point, coordinate, value) ? std::optional(std::move(point)) : std::nullopt;
}

} // namespace assay::testutils
