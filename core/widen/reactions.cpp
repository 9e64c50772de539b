// Sum and difference formulas of the elementary functions; M. Abramowitz, I. A. Stegun, "Handbook of Mathematical
// Functions", 1964, chapter 4.

#include "core/widen/reactions.hpp"

#include <algorithm>
#include <array>

extern "C" {
using assay::widen::Wide;
Wide asinf128(Wide), atanf128(Wide), asinhf128(Wide), atanhf128(Wide), atan2f128(Wide, Wide);
Wide cosf128(Wide), sinf128(Wide), coshf128(Wide), sinhf128(Wide), hypotf128(Wide, Wide);
Wide expf128(Wide), exp2f128(Wide), exp10f128(Wide), expm1f128(Wide), logf128(Wide), log1pf128(Wide);
Wide sqrtf128(Wide), cbrtf128(Wide), powf128(Wide, Wide);
}

namespace assay::widen {

namespace {

Wide natural_log_of(int number) {
  return logf128(number);
}

/// (v + d)^2 - v^2.
Wide square(Wide value, Wide delta) {
  return delta * (2 * value + delta);
}

Wide cosine(Wide value, Wide delta) {
  return -2 * sinf128(value + delta / 2) * sinf128(delta / 2);
}
Wide sine(Wide value, Wide delta) {
  return 2 * cosf128(value + delta / 2) * sinf128(delta / 2);
}
Wide tangent(Wide value, Wide delta) {
  return sinf128(delta) / (cosf128(value) * cosf128(value + delta));
}
Wide hyperbolic_cosine(Wide value, Wide delta) {
  return 2 * sinhf128(value + delta / 2) * sinhf128(delta / 2);
}
Wide hyperbolic_sine(Wide value, Wide delta) {
  return 2 * coshf128(value + delta / 2) * sinhf128(delta / 2);
}
Wide hyperbolic_tangent(Wide value, Wide delta) {
  return sinhf128(delta) / coshf128(value) / coshf128(value + delta);
}
Wide exponential(Wide value, Wide delta) {
  return expf128(value) * expm1f128(delta);
}
Wide exponential_of_2(Wide value, Wide delta) {
  return exp2f128(value) * expm1f128(delta * natural_log_of(2));
}
Wide exponential_of_10(Wide value, Wide delta) {
  return exp10f128(value) * expm1f128(delta * natural_log_of(10));
}
Wide logarithm(Wide value, Wide delta) {
  return log1pf128(delta / value);
}
Wide logarithm_to_2(Wide value, Wide delta) {
  return logarithm(value, delta) / natural_log_of(2);
}
Wide logarithm_to_10(Wide value, Wide delta) {
  return logarithm(value, delta) / natural_log_of(10);
}
Wide logarithm_of_1_plus(Wide value, Wide delta) {
  return log1pf128(delta / (1 + value));
}
Wide arc_tangent(Wide value, Wide delta) {
  return atanf128(delta / (1 + value * (value + delta)));
}
Wide area_tangent(Wide value, Wide delta) {
  return atanhf128(delta / ((1 - value) * (1 + value) - value * delta));
}
Wide arc_sine(Wide value, Wide delta) {
  const Wide rest = (1 - value) * (1 + value);
  const Wide moved_rest = rest - square(value, delta);
  return asinf128(square(value, delta) / ((value + delta) * sqrtf128(rest) + value * sqrtf128(moved_rest)));
}
Wide arc_cosine(Wide value, Wide delta) {
  return -arc_sine(value, delta);
}
Wide area_sine(Wide value, Wide delta) {
  const Wide sum = 1 + value * value;
  return asinhf128(square(value, delta) /
                   ((value + delta) * sqrtf128(sum) + value * sqrtf128(sum + square(value, delta))));
}
Wide area_cosine(Wide value, Wide delta) {
  const Wide rest = (value - 1) * (value + 1);
  return asinhf128(square(value, delta) /
                   ((value + delta) * sqrtf128(rest) + value * sqrtf128(rest + square(value, delta))));
}
Wide cube_root(Wide value, Wide delta) {
  const Wide before = cbrtf128(value), after = cbrtf128(value + delta);
  return delta / (before * before + before * after + after * after);
}

// ---- Functions of the device library (functions.cpp) ----

Wide reciprocal_root(Wide value, Wide delta) {
  const Wide before = sqrtf128(value), after = sqrtf128(value + delta);
  return -delta / (before * after * (before + after));
}
Wide reciprocal_cube_root(Wide value, Wide delta) {
  return -cube_root(value, delta) / (cbrtf128(value) * cbrtf128(value + delta));
}

struct Entry {
  std::string_view name;
  UnaryReaction reaction;
};

constexpr std::array entries = {
    Entry{"cos", cosine},
    Entry{"sin", sine},
    Entry{"tan", tangent},
    Entry{"cosh", hyperbolic_cosine},
    Entry{"sinh", hyperbolic_sine},
    Entry{"tanh", hyperbolic_tangent},
    Entry{"exp", exponential},
    Entry{"exp2", exponential_of_2},
    Entry{"exp10", exponential_of_10},
    Entry{"expm1", exponential},
    Entry{"log", logarithm},
    Entry{"log2", logarithm_to_2},
    Entry{"log10", logarithm_to_10},
    Entry{"log1p", logarithm_of_1_plus},
    Entry{"atan", arc_tangent},
    Entry{"atanh", area_tangent},
    Entry{"asin", arc_sine},
    Entry{"acos", arc_cosine},
    Entry{"asinh", area_sine},
    Entry{"acosh", area_cosine},
    Entry{"cbrt", cube_root},
    Entry{"__nv_rsqrt", reciprocal_root},
    Entry{"__nv_rcbrt", reciprocal_cube_root},
};

bool is_negative(Wide number) {
  return number < 0;
}

std::optional<Wide> arc_tangent_of_quotient(Wide y, Wide y_delta, Wide x, Wide x_delta) {
  const Wide moved_y = y + y_delta, moved_x = x + x_delta;
  const bool stays_right = x > 0 && moved_x > 0;
  const bool stays_on_one_side = y != 0 && moved_y != 0 && is_negative(y) == is_negative(moved_y);
  if (!stays_right && !stays_on_one_side)
    return std::nullopt;
  return atan2f128(y_delta * x - y * x_delta, x * moved_x + y * moved_y);
}

std::optional<Wide> power(Wide base, Wide base_delta, Wide exponent, Wide exponent_delta) {
  if (!(base > 0) || !is_small_beside(base_delta, base))
    return std::nullopt;
  const Wide of_base = is_zero(base_delta) ? Wide(0) : (exponent + exponent_delta) * log1pf128(base_delta / base);
  const Wide of_exponent = is_zero(exponent_delta) ? Wide(0) : exponent_delta * logf128(base);
  return powf128(base, exponent) * expm1f128(of_base + of_exponent);
}

std::optional<Wide> length(Wide x, Wide x_delta, Wide y, Wide y_delta) {
  const Wide before = hypotf128(x, y);
  if (is_zero(before))
    return std::nullopt;
  return (square(x, x_delta) + square(y, y_delta)) / (before + hypotf128(x + x_delta, y + y_delta));
}

std::optional<Wide> if_finite(std::optional<Wide> reaction) {
  return reaction && is_finite(*reaction) ? reaction : std::nullopt;
}

} // namespace

bool is_small_beside(Wide delta, Wide value) {
  return magnitude(delta) <= magnitude(value) * Wide(0x1p-30);
}

UnaryReaction unary_reaction(std::string_view function) {
  const auto *found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) { return entry.name == function; });
  return found == entries.end() ? nullptr : found->reaction;
}

std::optional<Wide> binary_reaction(std::string_view function, Wide left, Wide left_delta, Wide right,
                                    Wide right_delta) {
  if (function == "atan2")
    return if_finite(arc_tangent_of_quotient(left, left_delta, right, right_delta));
  if (function == "pow")
    return if_finite(power(left, left_delta, right, right_delta));
  if (function == "hypot")
    return if_finite(length(left, left_delta, right, right_delta));
  return std::nullopt;
}

std::optional<Wide> complex_log_reaction(unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta) {
  if (part == 1)
    return if_finite(arc_tangent_of_quotient(b, b_delta, a, a_delta));
  return if_finite(log1pf128((square(a, a_delta) + square(b, b_delta)) / (a * a + b * b)) / 2);
}

} // namespace assay::widen
