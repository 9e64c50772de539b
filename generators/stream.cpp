#include <assay/generators/stream.hpp>

#include "inverse_normal.hpp"

#include <Random123/philox.h>

#include <limits>
#include <stdexcept>

namespace assay::gen {

namespace {

constexpr std::string_view separator("\0", 1);

std::uint64_t hash_names(const StreamName &name) {
  std::uint64_t hash = hash_bytes(name.suite);
  hash = hash_bytes(separator, hash);
  hash = hash_bytes(name.name, hash);
  hash = hash_bytes(separator, hash);
  hash = hash_bytes(name.purpose, hash);
  return hash_bytes(separator, hash);
}

constexpr std::uint32_t low_word(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits);
}
constexpr std::uint32_t high_word(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits >> 32);
}

} // namespace

std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4> &counter,
                                    const std::array<std::uint32_t, 2> &key) {
  using Generator = r123::Philox4x32_R<10>;
  const Generator::ctr_type block = Generator{}(Generator::ctr_type{{counter[0], counter[1], counter[2], counter[3]}},
                                                Generator::key_type{{key[0], key[1]}});
  return {block[0], block[1], block[2], block[3]};
}

Stream::Stream(const StreamName &name) : Stream(name.seed, hash_names(name), name.index) {}

Stream::Stream(std::uint64_t seed, std::uint64_t names_hash, std::uint32_t index)
    : key{low_word(seed), high_word(seed)}, counter{0, index, low_word(names_hash), high_word(names_hash)} {}

std::uint64_t Stream::next() {
  if (unused_words == 0) {
    block = philox(counter, key);
    ++counter[0];
    unused_words = 4;
  }
  const std::size_t first = 4 - static_cast<std::size_t>(unused_words);
  unused_words -= 2;
  return block[first] | static_cast<std::uint64_t>(block[first + 1]) << 32;
}

double Stream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

std::int64_t Stream::integer(std::int64_t lower, std::int64_t upper) {
  if (lower > upper)
    throw std::invalid_argument("an integer's lower bound is above its upper bound");
  const std::uint64_t count = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower) + 1;
  if (count == 0) // All 2^64 of them.
    return static_cast<std::int64_t>(next());
  // The first (2^64 mod count) numbers are passed over: what is left is a multiple of count.
  const std::uint64_t passed_over = (std::numeric_limits<std::uint64_t>::max() - count + 1) % count;
  std::uint64_t bits = next();
  while (bits < passed_over)
    bits = next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lower) + bits % count);
}

double Stream::normal() {
  return detail::inverse_normal((static_cast<double>(next() >> 11) + 0.5) * 0x1p-53);
}

double Stream::tangent() {
  const std::int64_t hundredths = integer(1, 900);
  const bool negative = (next() & 1) != 0;
  return static_cast<double>(negative ? -hundredths : hundredths) / 100;
}

} // namespace assay::gen
