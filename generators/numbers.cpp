#include <assay/generators/numbers.hpp>

#include "random_numbers.hpp"

#include <rapidcheck/shrink/Shrink.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay::gen {

namespace {

using detail::coin;
using detail::shrinkable_real;
using detail::uniform;
using detail::uniform_integer;

constexpr int smallest_exponent = -4;
constexpr int largest_exponent = 3;

template <class T>
T magnitude(rc::Random &random) {
  constexpr auto exponents =
      static_cast<std::uint64_t>(largest_exponent - smallest_exponent + 1); // 8, a divisor of 2^64
  const int exponent = smallest_exponent + static_cast<int>(random.next() % exponents);
  return static_cast<T>(std::ldexp(1 + uniform(random), exponent));
}

template <class T>
constexpr T smallest_magnitude = T(1) / 16;
template <class T>
constexpr T largest_magnitude = T(16);

} // namespace

template <std::floating_point T>
rc::Gen<T> real(std::type_identity_t<T> lower, std::type_identity_t<T> upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower > upper)
    throw std::invalid_argument("a real's bounds must be finite, the lower one first");
  return [lower, upper](rc::Random random, int) {
    const T fraction = static_cast<T>(uniform(random));
    const T value = std::clamp(lower * (1 - fraction) + upper * fraction, lower, upper);
    return shrinkable_real<T>(value, lower, upper);
  };
}

template <std::floating_point T>
rc::Gen<T> positive() {
  return [](rc::Random random, int) {
    return shrinkable_real<T>(magnitude<T>(random), smallest_magnitude<T>, largest_magnitude<T>);
  };
}

template <std::floating_point T>
rc::Gen<T> nonzero() {
  return [](rc::Random random, int) {
    const bool negative = coin(random);
    const T size = magnitude<T>(random);
    return negative ? shrinkable_real<T>(-size, -largest_magnitude<T>, -smallest_magnitude<T>)
                    : shrinkable_real<T>(size, smallest_magnitude<T>, largest_magnitude<T>);
  };
}

template <std::floating_point T>
rc::Gen<T> unit() {
  constexpr T edge = T(1) / (1 << 20);
  return real<T>(edge, 1 - edge);
}

template <std::floating_point T>
rc::Gen<T> tangent() {
  return [](rc::Random random, int) {
    const std::int64_t hundredths = uniform_integer(random, 1, 900);
    const bool negative = coin(random);
    return rc::shrinkable::just(static_cast<T>(static_cast<double>(negative ? -hundredths : hundredths) / 100));
  };
}

#define ASSAY_GENERATORS_INSTANTIATE(T)                                                                                \
  template rc::Gen<T> real<T>(T, T);                                                                                   \
  template rc::Gen<T> positive<T>();                                                                                   \
  template rc::Gen<T> nonzero<T>();                                                                                    \
  template rc::Gen<T> unit<T>();                                                                                       \
  template rc::Gen<T> tangent<T>();
ASSAY_GENERATORS_INSTANTIATE(float)
ASSAY_GENERATORS_INSTANTIATE(double)
ASSAY_GENERATORS_INSTANTIATE(long double)
#undef ASSAY_GENERATORS_INSTANTIATE

namespace detail {

rc::Gen<std::int64_t> integer64(std::int64_t lower, std::int64_t upper) {
  if (lower > upper)
    throw std::invalid_argument("an integer's lower bound is above its upper bound");
  const std::int64_t target = std::clamp<std::int64_t>(0, lower, upper);
  return [lower, upper, target](rc::Random random, int) {
    return rc::shrinkable::shrinkRecur(uniform_integer(random, lower, upper),
                                       [target](std::int64_t value) { return rc::shrink::towards(value, target); });
  };
}

} // namespace detail

} // namespace assay::gen
