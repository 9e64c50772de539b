// Random numbers as a function of where they are used, not of earlier draws.
//
// A stream is named by (seed, suite, case, purpose, index). Its n-th block of four 32-bit words is Philox 4x32-10
// (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", the Random123 library) with
//
//     key     = {seed, seed >> 32}                                                          (as 32-bit words)
//     counter = {n, index, names, names >> 32},     names = FNV-1a 64 of  suite \0 case \0 purpose \0  (bytes of UTF-8)
//
// so a case has the same bits on every machine, in every shard and whatever else runs. A 64-bit draw is word 0 (low)
// and word 1 (high) of a block, then word 2 and word 3. Real numbers are made of these by correctly rounded operations
// alone.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::gen {

struct StreamName {
  std::uint64_t seed = 0;
  std::string_view suite = {};
  std::string_view name = {}; ///< of the case
  std::string_view purpose = {};
  std::uint32_t index = 0;
};

/// FNV-1a, 64 bits: h = 14695981039346656037; for each byte: h = (h ^ byte) * 1099511628211.
constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = 14695981039346656037ULL) {
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return hash;
}

/// One block of Philox 4x32-10.
std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4> &counter,
                                    const std::array<std::uint32_t, 2> &key);

class Stream {
public:
  explicit Stream(const StreamName &name);
  Stream(std::uint64_t seed, std::uint64_t names_hash, std::uint32_t index);

  /// The next 64 bits.
  std::uint64_t next();
  /// Uniform in [0, 1): the upper 53 bits of next() times 2^-53.
  double uniform();
  /// Uniform in [lower, upper], both included, without bias (rejection).
  std::int64_t integer(std::int64_t lower, std::int64_t upper);
  /// Standard normal, by inversion of (k + 1/2) 2^-53 with the upper 53 bits k of next(); accurate to about 1e-9, and
  /// the same bits everywhere.
  double normal();
  /// A tangent that reads well: k / 100 with k uniform in -900..900 without 0.
  double tangent();

private:
  std::array<std::uint32_t, 2> key;
  std::array<std::uint32_t, 4> counter;
  std::array<std::uint32_t, 4> block{};
  int unused_words = 0;
};

} // namespace assay::gen
