// Every way to share memory can be drawn, buffers are large enough, and shrinking shares less.
#include <assay/generators.hpp>

#include "generators/test/expect_always.hpp"

#include <set>

namespace assay::gen {
namespace {

TEST(Aliasing, DrawsEveryPartition) {
  std::set<std::vector<std::size_t>> seen;
  for (std::uint32_t index = 0; index < 300; ++index)
    seen.insert(draw(aliasing(4, 3), Stream({.seed = 8, .index = index})).value().buffer_of);
  EXPECT_EQ(seen.size(), 15); // Bell(4)
}

TEST(Aliasing, ShrinksToViewsThatShareNothing) {
  EXPECT_EQ(simplest(aliasing(3, 5, Sharing::overlapping)).buffer_of, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Aliasing, BuffersHoldTheirViews) {
  expect_always(aliasing(3, 5, Sharing::overlapping), [](const Aliasing &drawn) {
    bool holds = true;
    for (std::size_t view = 0; view < 3; ++view)
      holds = holds && drawn.buffer_of[view] < drawn.buffers() &&
              drawn.offset_of[view] + drawn.length <= drawn.size_of(drawn.buffer_of[view]) &&
              drawn.size_of(drawn.buffer_of[view]) < 2 * drawn.length;
    return holds;
  });
}

TEST(AllAliasings, CountsTheBellNumbersAndBeginsWithNoSharing) {
  EXPECT_EQ(all_aliasings(3, 2).size(), 5);
  EXPECT_EQ(all_aliasings(5, 2).size(), 52);
  EXPECT_EQ(all_aliasings(3, 2).front().buffers(), 3);
}

} // namespace
} // namespace assay::gen
