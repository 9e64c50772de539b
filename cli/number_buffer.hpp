#pragma once
// Memory that a checked function works on: numbers of one type between canaries that show writes beyond the ends, and
// pages behind these whose touch is a crash.

#include "cli/guarded_pages.hpp"
#include "core/jit/argument_spec.hpp"

#include <cstddef>
#include <vector>

namespace assay::cli {

class NumberBuffer {
public:
  NumberBuffer(jit::Scalar type, const std::vector<double> &values);
  /// `count` numbers that no computation gives by chance: signalling NaNs.
  static NumberBuffer poisoned(jit::Scalar type, std::size_t count);

  /// From now on it holds what `poisoned` would; integers a large pattern.
  void poison();
  bool is_poisoned() const;

  void *data();
  std::vector<double> values() const;
  enum class Damage { none, before, behind };
  Damage damage() const;

private:
  NumberBuffer(jit::Scalar type, std::size_t count);
  std::byte *first() const;

  jit::Scalar type_;
  std::size_t count_;
  GuardedPages memory_;
};

} // namespace assay::cli
