// The same seed gives the same bits: on any machine (the hashes below were computed once and are the promise), in any
// order and in any shard.
#include <assay/generators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace assay::gen {
namespace {

std::uint64_t hash_of(double value, std::uint64_t hash) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return hash_bytes(std::string_view(bytes, sizeof bytes), hash);
}
std::uint64_t hash_of(std::size_t value, std::uint64_t hash) {
  return hash_of(static_cast<double>(value), hash);
}
template <class T>
std::uint64_t hash_of(const std::vector<T> &values, std::uint64_t hash) {
  for (const T &value : values)
    hash = hash_of(value, hash);
  return hash;
}
std::uint64_t hash_of(const Matrix<double> &matrix, std::uint64_t hash) {
  return hash_of(matrix.values, hash);
}
std::uint64_t hash_of(const SparseMatrix<double> &matrix, std::uint64_t hash) {
  return hash_of(matrix.values, hash_of(matrix.pattern.columns_of, hash));
}
std::uint64_t hash_of(const Aliasing &aliasing, std::uint64_t hash) {
  return hash_of(aliasing.offset_of, hash_of(aliasing.buffer_of, hash));
}

template <class T>
std::uint64_t bits_of(const rc::Gen<T> &generator) {
  std::uint64_t hash = hash_bytes("");
  for (std::uint32_t index = 0; index < 32; ++index) {
    const auto drawn = draw(generator, Stream({.seed = 20, .suite = "Bits", .purpose = "input", .index = index}));
    hash = hash_of(drawn.value(), hash);
    if (const auto simpler = drawn.shrinks().next())
      hash = hash_of(simpler->value(), hash);
  }
  return hash;
}

TEST(Reproducibility, EachGeneratorHasTheSameBitsOnEveryMachine) {
  EXPECT_EQ(bits_of(real(-2, 2)), 0x0E71AC8149B70BF9ULL);
  EXPECT_EQ(bits_of(positive()), 0x9EDA8C19C5C9A5BDULL);
  EXPECT_EQ(bits_of(normal()), 0x6D0C77683C611F4BULL);
  EXPECT_EQ(bits_of(log_uniform(1e-30, 1e30)), 0x8E91E7522C394919ULL);
  EXPECT_EQ(bits_of(edge()), 0xCBB72E64F6C1D971ULL);
  EXPECT_EQ(bits_of(near(1, 1e-3)), 0x0ED64839ED6669EEULL);
  EXPECT_EQ(bits_of(mixed(0.25, edge(-1, 1), nonzero())), 0x1F1A7E72FC9F7789ULL);
  EXPECT_EQ(bits_of(size(1, 4096)), 0xFF63DE701E207105ULL);
  EXPECT_EQ(bits_of(vector(tangent(), 1, 6)), 0x183B1EFC1DFE1B41ULL);
  EXPECT_EQ(bits_of(orthogonal(4)), 0xB6B1E1314681A607ULL);
  EXPECT_EQ(bits_of(positive_definite(4, 1e3)), 0xA66AD3F6B736759BULL);
  EXPECT_EQ(bits_of(with_condition(4, 3, 1e5)), 0xBAC7E02571206962ULL);
  EXPECT_EQ(bits_of(triangular(4, Triangle::upper, Diagonal::free, normal())), 0x66217F1D8F9BD555ULL);
  EXPECT_EQ(bits_of(permutation(6)), 0x0DBA3E952BD4EC65ULL);
  EXPECT_EQ(bits_of(sparse(sparse_pattern_with_diagonal(5, 0.4), nonzero())), 0xDD99EF4C74922394ULL);
  EXPECT_EQ(bits_of(aliasing(4, 6, Sharing::overlapping)), 0x7A3A019D9AA10E3CULL);
}

using Inputs = std::tuple<double, std::vector<double>, Matrix<double>>;

Inputs inputs_of(const std::string &test, std::uint32_t sample) {
  const auto generator = tuple(nonzero(), vector(normal(), 1, 5), positive_definite(3));
  return draw(generator, Stream({.seed = 77, .suite = "Suite", .name = test, .purpose = "input", .index = sample}))
      .value();
}

TEST(Reproducibility, AnyOrderAndAnyShardDrawTheSameInputs) {
  const std::vector<std::string> tests{"Add", "Multiply", "Solve"};
  constexpr std::uint32_t samples = 6, shards = 3;
  std::vector<Inputs> in_order, in_shards(tests.size() * samples);
  for (const std::string &test : tests)
    for (std::uint32_t sample = 0; sample < samples; ++sample)
      in_order.push_back(inputs_of(test, sample));
  for (std::uint32_t shard = shards; shard-- > 0;)
    for (std::size_t job = tests.size() * samples; job-- > 0;)
      if (job % shards == shard)
        in_shards[job] = inputs_of(tests[job / samples], static_cast<std::uint32_t>(job % samples));
  EXPECT_EQ(in_order, in_shards);
}

TEST(Reproducibility, AnotherSeedNamePurposeOrIndexDrawsSomethingElse) {
  const auto value = [](StreamName name) { return draw(normal(), Stream(name)).value(); };
  const double one = value({.seed = 1, .suite = "A", .name = "b", .purpose = "input", .index = 0});
  EXPECT_NE(one, value({.seed = 2, .suite = "A", .name = "b", .purpose = "input", .index = 0}));
  EXPECT_NE(one, value({.seed = 1, .suite = "Ab", .name = "", .purpose = "input", .index = 0}));
  EXPECT_NE(one, value({.seed = 1, .suite = "A", .name = "b", .purpose = "tangent", .index = 0}));
  EXPECT_NE(one, value({.seed = 1, .suite = "A", .name = "b", .purpose = "input", .index = 1}));
}

} // namespace
} // namespace assay::gen
