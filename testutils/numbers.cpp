#include "testutils/numbers.hpp"

#include <assay/detail/half_numbers.hpp>

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

namespace {

using detail::BrainFloat, detail::Binary16, detail::HalfFormat;

const HalfFormat &half_format_of(ElementType element) {
  return element == ElementType::half_precision ? detail::binary16 : detail::brain_float;
}

/// As `std::numeric_limits` counts it.
int least_exponent(ElementType element) {
  if (is_of_16_bits(element))
    return half_format_of(element).min_exponent();
  return element == ElementType::single_precision ? std::numeric_limits<float>::min_exponent
                                                  : std::numeric_limits<double>::min_exponent;
}

} // namespace

double rounded_to(ElementType element, double value) {
  switch (element) {
  case ElementType::single_precision:
    return static_cast<float>(value);
  case ElementType::half_precision:
    return static_cast<double>(Binary16(value));
  case ElementType::brain_float:
    return static_cast<double>(BrainFloat(value));
  case ElementType::integer:
    return std::round(value);
  case ElementType::double_precision:
  case ElementType::long_double:
    break;
  }
  return value;
}

double epsilon_of(ElementType element) {
  if (is_of_16_bits(element))
    return half_format_of(element).epsilon();
  return element == ElementType::single_precision ? std::numeric_limits<float>::epsilon()
                                                  : std::numeric_limits<double>::epsilon();
}

bool is_coarse(ElementType element) {
  return epsilon_of(element) > std::numeric_limits<double>::epsilon();
}

bool is_of_16_bits(ElementType element) {
  return element == ElementType::half_precision || element == ElementType::brain_float;
}

double rounding_of_sum(ElementType element) {
  constexpr double roundings = 64, roundings_of_16_bits = 8;
  return (is_of_16_bits(element) ? roundings_of_16_bits : roundings) * epsilon_of(element);
}

double least_number(ElementType element) {
  return least_normal_number(element) * epsilon_of(element);
}

double least_normal_number(ElementType element) {
  return std::ldexp(1.0, least_exponent(element) - 1);
}

double next_number(ElementType element, double value, bool is_above) {
  const double end = is_above ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  if (element == ElementType::half_precision)
    return static_cast<double>(Binary16(value).next(is_above));
  if (element == ElementType::brain_float)
    return static_cast<double>(BrainFloat(value).next(is_above));
  return element == ElementType::single_precision ? std::nextafter(static_cast<float>(value), static_cast<float>(end))
                                                  : std::nextafter(value, end);
}

double ulp_distance(ElementType element, double left, double right) {
  if (same_bits(left, right) || left == right)
    return 0;
  if (!std::isfinite(left) || !std::isfinite(right))
    return std::numeric_limits<double>::infinity();
  int exponent = 0;
  std::frexp(std::max(std::abs(left), std::abs(right)), &exponent);
  const double spacing = std::ldexp(epsilon_of(element), std::max(exponent, least_exponent(element)) - 1);
  return std::abs(left - right) / spacing;
}

static double default_tolerance(ElementType element) {
  return is_coarse(element) ? std::sqrt(epsilon_of(element)) : 1e-9;
}

double absolute_tolerance(const Tolerance &tolerance, ElementType element) {
  return tolerance.absolute.value_or(default_tolerance(element));
}

double relative_tolerance(const Tolerance &tolerance, ElementType element) {
  return tolerance.relative.value_or(default_tolerance(element));
}

template <class Visit>
static void for_each_type(const Signature &signature, Visit visit) {
  const auto visit_all = [&](const Parameter &parameter) {
    visit(parameter.element);
    std::for_each(parameter.element_types.begin(), parameter.element_types.end(), visit);
  };
  std::for_each(signature.parameters.begin(), signature.parameters.end(), visit_all);
  if (signature.result)
    visit_all(*signature.result);
}

bool has_halves(const Signature &signature) {
  bool any = false;
  for_each_type(signature, [&](ElementType type) { any = any || type == ElementType::half_precision; });
  return any;
}

ElementType coarsest_element(const Signature &signature) {
  ElementType coarsest = ElementType::double_precision;
  for_each_type(signature, [&](ElementType type) {
    if (epsilon_of(type) > epsilon_of(coarsest))
      coarsest = type;
  });
  return coarsest;
}

} // namespace assay::testutils
