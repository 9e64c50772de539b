// Would catch: ways to share memory that compiled tests leave out, or take twice, or in another order than the
// generator.

#include <assay/testing/aliasings.hpp>

#include <assay/generators/aliasing.hpp>

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace assay::detail {
namespace {

template <std::size_t Count>
std::vector<std::vector<std::size_t>> as_vectors(const std::vector<Partition<Count>> &partitions) {
  std::vector<std::vector<std::size_t>> all;
  for (const Partition<Count> &partition : partitions)
    all.emplace_back(partition.begin(), partition.end());
  return all;
}

TEST(SharedArguments, OfOneKindHaveTheWaysOfTheGenerator) {
  std::vector<std::vector<std::size_t>> expected;
  for (const gen::Aliasing &aliasing : gen::all_aliasings(4, 1))
    expected.push_back(aliasing.buffer_of);
  EXPECT_EQ(as_vectors(all_partitions<4>({0, 0, 0, 0})), expected);
}

TEST(SharedArguments, OfOtherKindsStayApart) {
  EXPECT_EQ(as_vectors(all_partitions<4>({0, -1, 0, -1})),
            (std::vector<std::vector<std::size_t>>{{0, 1, 2, 3}, {0, 1, 0, 2}}));
}

using Fill = void(const std::vector<double> &, std::vector<double> &, std::vector<double>, std::span<const double>,
                  std::span<double>, double, const std::vector<float> &);

TEST(SharedArguments, AreReferencesAndSpansOfOneType) {
  using S = SharingOf<Fill, std::vector<double>, std::vector<double>, std::vector<double>, std::span<const double>,
                      std::span<double>, double, std::vector<float>>;
  EXPECT_EQ(S::kinds, (std::array{0, 0, -1, 3, 3, -1, 6}));
  EXPECT_EQ(S::ways, 4U);
  EXPECT_EQ(S::owner(S::ways - 1, 0), 1U); // The one that may be written to.
}

TEST(SharedArguments, ThatAreMarkedOtherwiseStayApart) {
  using Constant = MarkedArgument<testutils::Activity::constant, std::vector<double>>;
  using S = SharingOf<void (*)(const std::vector<double> &, std::vector<double> &), Constant, std::vector<double>>;
  EXPECT_EQ(S::ways, 1U);
}

} // namespace
} // namespace assay::detail
