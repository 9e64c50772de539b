#include <assay/generators/objects.hpp>

#include "random_numbers.hpp"

#include <rapidcheck/shrink/Shrink.h>

#include <algorithm>
#include <bit>

namespace assay::gen {

rc::Gen<std::size_t> size(std::size_t least, std::size_t most) {
  if (least > most)
    throw std::invalid_argument("a size's lower bound is above its upper bound");
  return [=](rc::Random random, int) {
    const std::size_t span = most - least;
    const auto bits =
        static_cast<std::size_t>(detail::uniform_integer(random, 0, static_cast<std::int64_t>(std::bit_width(span))));
    const std::size_t low = bits == 0 ? 0 : std::size_t{1} << (bits - 1);
    const std::size_t high = bits == 0 ? 0 : std::min(span, low + (low - 1));
    const auto above = detail::uniform_integer(random, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
    return rc::shrinkable::shrinkRecur(least + static_cast<std::size_t>(above),
                                       [least](std::size_t value) { return rc::shrink::towards(value, least); });
  };
}

} // namespace assay::gen
