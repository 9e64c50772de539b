#pragma once
// Memory that a checked function works on: numbers of one type between canaries that show writes beyond the ends, and
// pages behind these whose touch is a crash. Reading the canaries shows where the result changes with what they are.

#include "cli/guarded_pages.hpp"
#include "core/jit/argument_spec.hpp"

#include <cstddef>
#include <vector>

namespace assay::cli {

class NumberBuffer {
public:
  /// Usual ones are small numbers, others NaNs.
  enum class Canaries : unsigned char { usual = 0x3F, poison = 0xFF };

  NumberBuffer(jit::Scalar type, const std::vector<double> &values, Canaries canaries = Canaries::usual);
  /// `count` numbers that no computation gives by chance: signalling NaNs.
  static NumberBuffer poisoned(jit::Scalar type, std::size_t count);

  /// Moves the numbers to one of the places that differ in alignment: so many numbers past the first multiple of 64
  /// bytes, of which 8 (double) or 16 (float) are different.
  void shift(std::size_t numbers);

  void assign(const std::vector<double> &values);
  /// From now on it holds what `poisoned` would; integers a large pattern.
  void poison();
  bool is_poisoned() const;

  void *data();
  std::size_t bytes() const { return count_ * jit::size_of(type_); }
  /// On each side of the numbers there is at least so much that belongs to them.
  static constexpr std::size_t margin_bytes = 64;
  std::vector<double> values() const;
  enum class Damage { none, before, behind };
  Damage damage() const;
  /// Which forbidden page an address is in.
  Damage touched_by(const void *address) const;
  bool holds(const void *address) const { return memory_.hold(address); }
  void let_write(bool may_write) { memory_.let_write(may_write); }

private:
  NumberBuffer(jit::Scalar type, std::size_t count, Canaries canaries);
  std::byte *first() const;

  jit::Scalar type_;
  std::size_t count_;
  Canaries canaries_;
  std::size_t shift_ = 0; ///< In bytes, towards the end.
  GuardedPages memory_;
};

} // namespace assay::cli
