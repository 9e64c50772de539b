#include "testutils/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay::testutils {

bool same_bits(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) && std::isnan(right);
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

bool same_bits(const Values &left, const Values &right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](double a, double b) { return same_bits(a, b); });
}

bool same_bits(const Arguments &left, const Arguments &right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Values &a, const Values &b) { return same_bits(a, b); });
}

double rounded_to(ElementType element, double value) {
  if (element == ElementType::single_precision)
    return static_cast<float>(value);
  return element == ElementType::integer ? std::round(value) : value;
}

double epsilon_of(ElementType element) {
  return element == ElementType::single_precision ? std::numeric_limits<float>::epsilon()
                                                  : std::numeric_limits<double>::epsilon();
}

double ulp_distance(ElementType element, double left, double right) {
  if (same_bits(left, right) || left == right)
    return 0;
  if (!std::isfinite(left) || !std::isfinite(right))
    return std::numeric_limits<double>::infinity();
  const bool single = element == ElementType::single_precision;
  const int least_exponent =
      single ? std::numeric_limits<float>::min_exponent : std::numeric_limits<double>::min_exponent;
  int exponent = 0;
  std::frexp(std::max(std::abs(left), std::abs(right)), &exponent);
  const double spacing = std::ldexp(epsilon_of(element), std::max(exponent, least_exponent) - 1);
  return std::abs(left - right) / spacing;
}

static double default_tolerance(ElementType element) {
  return element == ElementType::single_precision
             ? std::sqrt(static_cast<double>(std::numeric_limits<float>::epsilon()))
             : 1e-9;
}

double absolute_tolerance(const Tolerance &tolerance, ElementType element) {
  return tolerance.absolute.value_or(default_tolerance(element));
}

double relative_tolerance(const Tolerance &tolerance, ElementType element) {
  return tolerance.relative.value_or(default_tolerance(element));
}

ElementType coarsest_element(const Signature &signature) {
  const auto is_single = [](const Parameter &parameter) {
    return parameter.element == ElementType::single_precision ||
           std::count(parameter.element_types.begin(), parameter.element_types.end(), ElementType::single_precision) >
               0;
  };
  const bool any = std::any_of(signature.parameters.begin(), signature.parameters.end(), is_single) ||
                   (signature.result && is_single(*signature.result));
  return any ? ElementType::single_precision : ElementType::double_precision;
}

} // namespace assay::testutils
