#pragma once
// The product of a zero and an infinite number in a derivative.

#include "core/engine/support/request.hpp"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace assay::engine {

enum class ZeroTimesInfinity : std::uint8_t {
  undefined,           ///< NaN.
  zero_for_zero_seeds, ///< A seed of zero stays one.
  zero,                ///< The same, and a factor of zero makes zero of every seed.
};

/// Marks selects that make zero of NaN.
inline constexpr llvm::StringLiteral zero_guard = "assay.zero_guard";

inline ZeroTimesInfinity zero_times_infinity(const Options &options) {
  return options.strong_zero ? ZeroTimesInfinity::zero : ZeroTimesInfinity::undefined;
}

} // namespace assay::engine
