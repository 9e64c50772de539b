// The draws of generators from RapidCheck's random numbers, with correctly rounded operations alone.
#pragma once

#include "simple_reals.hpp"

#include <rapidcheck/Random.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/shrinkable/Create.h>

#include <cstdint>
#include <limits>

namespace assay::gen::detail {

/// Uniform in [0, 1), a multiple of 2^-53.
inline double uniform(rc::Random &random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

inline bool coin(rc::Random &random) {
  return (random.next() & 1) != 0;
}

/// Uniform in [lower, upper], without bias: the first (2^64 mod count) numbers are passed over.
inline std::int64_t uniform_integer(rc::Random &random, std::int64_t lower, std::int64_t upper) {
  const std::uint64_t count = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower) + 1;
  if (count == 0)
    return static_cast<std::int64_t>(random.next());
  const std::uint64_t passed_over = (std::numeric_limits<std::uint64_t>::max() - count + 1) % count;
  std::uint64_t bits = random.next();
  while (bits < passed_over)
    bits = random.next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lower) + bits % count);
}

/// `value`, which shrinks to simpler numbers in [lower, upper].
template <class T>
rc::Shrinkable<T> shrinkable_real(T value, T lower, T upper) {
  return rc::shrinkable::shrinkRecur(
      value, [lower, upper](T current) { return rc::seq::fromContainer(simpler_reals(current, lower, upper)); });
}

} // namespace assay::gen::detail
