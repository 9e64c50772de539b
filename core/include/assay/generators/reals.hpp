// Generators of real numbers by scale and by place: over many magnitudes, at edge values, close to a singularity or
// away from it. They compose: `away_from(mixed(0.1, edge(), scaled(1e6, normal())), {0}, 1e-3)`.
//
// Everything is made by correctly rounded operations, so the same stream gives the same bits on every machine. All
// shrink within their domain, toward the numbers a person would try by hand.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>
#include <rapidcheck/gen/Transform.h>
#include <rapidcheck/shrinkable/Transform.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::gen {

/// Standard normal, by inversion; accurate to about 1e-9.
template <std::floating_point T = double>
rc::Gen<T> normal();

/// Uniform in the exponent, then in the mantissa: numbers of every magnitude in [lower, upper], 0 < lower <= upper.
template <std::floating_point T = double>
rc::Gen<T> log_uniform(std::type_identity_t<T> lower, std::type_identity_t<T> upper);

/// One of the values in [lower, upper] where arithmetic is special: zeros of both signs, the smallest denormal and
/// normal numbers, 1, the neighbours of 1, the largest power of two and the largest number, those with a minus sign,
/// and the bounds themselves where they are finite. The bounds may be infinite; infinity and NaN are never drawn.
/// Throws std::invalid_argument where no such value is in the bounds.
template <std::floating_point T = double>
rc::Gen<T> edge(std::type_identity_t<T> lower, std::type_identity_t<T> upper);
template <std::floating_point T = double>
rc::Gen<T> edge();

/// At least `distance` and less than twice that from `singularity`, on both sides; shrinks to exactly `distance`, then
/// to the right side.
template <std::floating_point T = double>
rc::Gen<T> near(std::type_identity_t<T> singularity, std::type_identity_t<T> distance);

namespace detail {
constexpr int most_attempts = 100;

template <class T, class Holds>
rc::Gen<T> only(const rc::Gen<T> &generator, const Holds &holds) {
  return [=](const rc::Random &start, int size) {
    rc::Random random = start;
    for (int attempt = 0; attempt < most_attempts; ++attempt)
      if (rc::Shrinkable<T> drawn = generator(random.split(), size); holds(drawn.value()))
        return *rc::shrinkable::filter(std::move(drawn), holds);
    throw std::runtime_error("a generator's condition was not met in 100 draws");
  };
}
} // namespace detail

/// Draws of `generator` that are at least `distance` from each singularity. Throws std::runtime_error when 100 draws in
/// a row are not.
template <std::floating_point T>
rc::Gen<T> away_from(const rc::Gen<T> &generator, std::vector<std::type_identity_t<T>> singularities,
                     std::type_identity_t<T> distance) {
  return detail::only(generator, [singularities = std::move(singularities), distance](T value) {
    return std::all_of(singularities.begin(), singularities.end(), [=](T singularity) {
      return value >= singularity + distance || value <= singularity - distance;
    });
  });
}

/// `factor` times a draw of `generator`, rounded once.
template <std::floating_point T>
rc::Gen<T> scaled(std::type_identity_t<T> factor, const rc::Gen<T> &generator) {
  return rc::gen::map(generator, [factor](T value) { return factor * value; });
}

namespace detail {
/// 1 with that probability, else 0.
rc::Gen<std::int64_t> chance(double probability);
} // namespace detail

/// From `rare` with that probability, else from `usual`; shrinks within the generator that it came from.
template <class T>
rc::Gen<T> mixed(double probability, const rc::Gen<T> &rare, const rc::Gen<T> &usual) {
  return rc::gen::mapcat(detail::chance(probability),
                         [rare, usual](std::int64_t is_rare) { return is_rare != 0 ? rare : usual; });
}

} // namespace assay::gen
