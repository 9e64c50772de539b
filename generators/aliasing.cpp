// A way to share is a restricted growth string: view k may join one of the buffers that views 0 to k - 1 have, or take
// the next one (Knuth, The Art of Computer Programming 4A, section 7.2.1.5).
#include <assay/generators/aliasing.hpp>

#include "random_numbers.hpp"

#include <algorithm>

namespace assay::gen {

namespace {

/// Gives buffers their numbers in the order of first mention, and each buffer's first offset zero.
Aliasing in_order(Aliasing aliasing) {
  std::vector<std::size_t> seen;
  for (std::size_t &buffer : aliasing.buffer_of) {
    const auto known = std::find(seen.begin(), seen.end(), buffer);
    const auto number = static_cast<std::size_t>(known - seen.begin());
    if (known == seen.end())
      seen.push_back(buffer);
    buffer = number;
  }
  for (std::size_t buffer = 0; buffer < seen.size(); ++buffer) {
    std::size_t least = aliasing.length;
    for (std::size_t view = 0; view < aliasing.buffer_of.size(); ++view)
      if (aliasing.buffer_of[view] == buffer)
        least = std::min(least, aliasing.offset_of[view]);
    for (std::size_t view = 0; view < aliasing.buffer_of.size(); ++view)
      if (aliasing.buffer_of[view] == buffer)
        aliasing.offset_of[view] -= least;
  }
  return aliasing;
}

/// One view leaves its buffer, or loses its shift.
std::vector<Aliasing> simpler_aliasings(const Aliasing &aliasing) {
  std::vector<Aliasing> simpler;
  const auto add = [&](Aliasing candidate) {
    candidate = in_order(std::move(candidate));
    if (!(candidate == aliasing))
      simpler.push_back(std::move(candidate));
  };
  for (std::size_t view = 0; view < aliasing.buffer_of.size(); ++view) {
    const auto same = std::count(aliasing.buffer_of.begin(), aliasing.buffer_of.end(), aliasing.buffer_of[view]);
    if (same < 2)
      continue;
    Aliasing alone = aliasing;
    alone.buffer_of[view] = aliasing.buffers();
    alone.offset_of[view] = 0;
    add(std::move(alone));
  }
  for (std::size_t view = 0; view < aliasing.buffer_of.size(); ++view)
    if (aliasing.offset_of[view] != 0) {
      Aliasing unshifted = aliasing;
      unshifted.offset_of[view] = 0;
      add(std::move(unshifted));
    }
  return simpler;
}

} // namespace

std::size_t Aliasing::buffers() const {
  return buffer_of.empty() ? 0 : *std::max_element(buffer_of.begin(), buffer_of.end()) + 1;
}

std::size_t Aliasing::size_of(std::size_t buffer) const {
  std::size_t end = 0;
  for (std::size_t view = 0; view < buffer_of.size(); ++view)
    if (buffer_of[view] == buffer)
      end = std::max(end, offset_of[view] + length);
  return end;
}

rc::Gen<Aliasing> aliasing(std::size_t views, std::size_t length, Sharing sharing) {
  return [=](rc::Random random, int) {
    Aliasing drawn{length, {}, {}};
    std::size_t buffers = 0;
    for (std::size_t view = 0; view < views; ++view) {
      const auto chosen =
          static_cast<std::size_t>(detail::uniform_integer(random, 0, static_cast<std::int64_t>(buffers)));
      buffers = std::max(buffers, chosen + 1);
      drawn.buffer_of.push_back(chosen);
      const bool may_shift = sharing == Sharing::overlapping && length > 1;
      drawn.offset_of.push_back(may_shift ? static_cast<std::size_t>(detail::uniform_integer(
                                                random, 0, static_cast<std::int64_t>(length) - 1))
                                          : 0);
    }
    return rc::shrinkable::shrinkRecur(in_order(std::move(drawn)), [](const Aliasing &current) {
      return rc::seq::fromContainer(simpler_aliasings(current));
    });
  };
}

std::vector<Aliasing> all_aliasings(std::size_t views, std::size_t length) {
  std::vector<Aliasing> found{{length, {}, std::vector<std::size_t>(views)}};
  for (std::size_t view = 0; view < views; ++view) {
    std::vector<Aliasing> longer;
    for (const Aliasing &shorter : found)
      for (std::size_t buffer = shorter.buffers() + 1; buffer-- > 0;) {
        longer.push_back(shorter);
        longer.back().buffer_of.push_back(buffer);
      }
    found = std::move(longer);
  }
  return found;
}

} // namespace assay::gen
