#pragma once
// What every generator owes: its values and all they shrink to, two steps deep, are in its domain.

#include <assay/generators/draw.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/seq/Operations.h>
#include <rapidcheck/shrinkable/Operations.h>

#include <cstdint>

namespace assay::gen {

template <class T, class Holds>
void expect_always(const rc::Gen<T> &generator, const Holds &holds) {
  constexpr std::uint32_t draws = 200;
  for (std::uint32_t index = 0; index < draws; ++index) {
    const auto drawn = draw(generator, Stream({.seed = 11, .index = index}));
    EXPECT_TRUE(holds(drawn.value()));
    rc::seq::forEach(drawn.shrinks(), [&](const rc::Shrinkable<T> &shrunk) { EXPECT_TRUE(holds(shrunk.value())); });
  }
}

/// What is left when everything still fails: the generator's simplest value.
template <class T>
T simplest(const rc::Gen<T> &generator, std::uint64_t seed = 3) {
  return shrink_to_minimal(draw(generator, Stream({.seed = seed})), [](const T &) { return true; }).value;
}

} // namespace assay::gen
