#include <assay/generators/reals.hpp>

#include "inverse_normal.hpp"
#include "random_numbers.hpp"

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

/// The values at which arithmetic is special, the simplest first.
template <class T>
std::vector<T> edges_between(T lower, T upper) {
  using Limits = std::numeric_limits<T>;
  const T above_one = 1 + Limits::epsilon(), below_one = 1 - Limits::epsilon() / 2;
  const T largest_power = std::ldexp(T(1), Limits::max_exponent - 1);
  std::vector<T> values{0, 1, -1, -T(0)};
  for (const T size : {below_one, above_one, Limits::epsilon(), Limits::min(), Limits::denorm_min(),
                       Limits::min() - Limits::denorm_min(), largest_power, Limits::max()}) {
    values.push_back(size);
    values.push_back(-size);
  }
  values.push_back(lower);
  values.push_back(upper);
  std::vector<T> found;
  for (const T value : values) {
    const bool is_new = std::none_of(found.begin(), found.end(), [&](T other) {
      return other == value && std::signbit(other) == std::signbit(value);
    });
    if (std::isfinite(value) && value >= lower && value <= upper && is_new)
      found.push_back(value);
  }
  return found;
}

/// Element `index` of `values`, which shrinks to those before it.
template <class T>
rc::Shrinkable<T> shrinkable_choice(const std::vector<T> &values, std::size_t index) {
  return rc::shrinkable::map(rc::shrinkable::shrinkRecur(index,
                                                         [](std::size_t current) {
                                                           std::vector<std::size_t> simpler(current);
                                                           for (std::size_t i = 0; i < current; ++i)
                                                             simpler[i] = i;
                                                           return rc::seq::fromContainer(std::move(simpler));
                                                         }),
                             [values](std::size_t chosen) { return values[chosen]; });
}

} // namespace

template <std::floating_point T>
rc::Gen<T> normal() {
  return [](rc::Random random, int) {
    const double p = (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
    constexpr T most = 16;
    return shrinkable_real<T>(static_cast<T>(detail::inverse_normal(p)), -most, most);
  };
}

template <std::floating_point T>
rc::Gen<T> log_uniform(std::type_identity_t<T> lower, std::type_identity_t<T> upper) {
  if (!(lower > 0) || !std::isfinite(upper) || lower > upper)
    throw std::invalid_argument("log_uniform needs positive bounds, the lower one first");
  int lowest = 0, highest = 0;
  (void)std::frexp(lower, &lowest);
  (void)std::frexp(upper, &highest);
  return [=](rc::Random random, int) {
    T value = 0;
    do { // each binade is as likely as the next, so at least every second draw of a wide range fits
      const auto exponent = static_cast<int>(uniform_integer(random, lowest, highest));
      value = std::ldexp(static_cast<T>(1 + uniform(random)) / 2, exponent);
    } while (lowest != highest && (value < lower || value > upper));
    if (lowest == highest)
      value = std::clamp(lower + (upper - lower) * static_cast<T>(uniform(random)), lower, upper);
    return shrinkable_real<T>(value, lower, upper);
  };
}

template <std::floating_point T>
rc::Gen<T> edge(std::type_identity_t<T> lower, std::type_identity_t<T> upper) {
  const std::vector<T> values = edges_between<T>(lower, upper);
  if (values.empty())
    throw std::invalid_argument("no edge value lies in the bounds");
  return [values](rc::Random random, int) {
    const auto last = static_cast<std::int64_t>(values.size()) - 1;
    return shrinkable_choice(values, static_cast<std::size_t>(uniform_integer(random, 0, last)));
  };
}

template <std::floating_point T>
rc::Gen<T> edge() {
  return edge<T>(-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity());
}

template <std::floating_point T>
rc::Gen<T> near(std::type_identity_t<T> singularity, std::type_identity_t<T> distance) {
  if (!std::isfinite(singularity) || !(distance > 0) || singularity + distance == singularity)
    throw std::invalid_argument("near needs a distance that the singularity's precision can tell from zero");
  return [=](rc::Random random, int) {
    const bool left = coin(random);
    const T away = distance * static_cast<T>(1 + uniform(random));
    const T nearest_left = singularity - distance, nearest_right = singularity + distance;
    const T value = left ? std::min(singularity - away, nearest_left) : std::max(singularity + away, nearest_right);
    std::vector<T> values{nearest_right, nearest_left, value};
    const auto known = std::find(values.begin(), values.end(), value) - values.begin();
    return shrinkable_choice(values, static_cast<std::size_t>(known));
  };
}

#define ASSAY_GENERATORS_INSTANTIATE(T)                                                                                \
  template rc::Gen<T> normal<T>();                                                                                     \
  template rc::Gen<T> log_uniform<T>(T, T);                                                                            \
  template rc::Gen<T> edge<T>(T, T);                                                                                   \
  template rc::Gen<T> edge<T>();                                                                                       \
  template rc::Gen<T> near<T>(T, T);
ASSAY_GENERATORS_INSTANTIATE(float)
ASSAY_GENERATORS_INSTANTIATE(double)
ASSAY_GENERATORS_INSTANTIATE(long double)
#undef ASSAY_GENERATORS_INSTANTIATE

rc::Gen<std::int64_t> detail::chance(double probability) {
  if (!(probability >= 0 && probability <= 1))
    throw std::invalid_argument("a probability lies in [0, 1]");
  return [probability](rc::Random random, int) {
    return rc::shrinkable::just<std::int64_t>(uniform(random) < probability);
  };
}

} // namespace assay::gen
