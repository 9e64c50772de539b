#pragma once
// The mathematical functions that have a wide version, by the names of the C library and of LLVM's intrinsics.

#include "core/widen/wide_number.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::widen {

/// How the reaction to a movement is computed.
enum class Shape : std::uint8_t {
  smooth, ///< f(v + d) - f(v), without cancellation where reactions.hpp knows how.
  root,   ///< d / (sqrt(v + d) + sqrt(v)).
  size,   ///< |v + d| - |v|, with a crossing where the sign changes.
  step    ///< Constant between its steps: no reaction, and a crossing where a step lies between v and v + d.
};

/// Where a function has no finite derivative.
enum class Singularity : std::uint8_t { nowhere, at_zero, at_one, at_minus_one, at_both_ones };

struct UnaryFunction {
  std::string_view name; ///< Of the version for double.
  Wide (*wide)(Wide);
  Shape shape;
  Wide (*reaction)(Wide value, Wide delta) = nullptr; ///< Of small movements, without cancellation.
  Singularity singularity = Singularity::nowhere;
  double period = 0; ///< None where it is 0.
};

enum class Selection : std::uint8_t {
  none,
  smaller, ///< fmin: the smaller one.
  larger,  ///< fmax.
  excess,  ///< fdim: max(x - y, 0).
  sign     ///< copysign.
};

struct BinaryFunction {
  std::string_view name;
  Wide (*wide)(Wide, Wide);
  Selection selection;
};

/// Of a complex number.
struct ComplexFunction {
  std::string_view name;
  ComplexWide (*wide)(ComplexWide);
};

/// Positions in the tables below, which widened code passes on.
std::optional<unsigned> unary_function(std::string_view name);
std::optional<unsigned> binary_function(std::string_view name);
std::optional<unsigned> complex_function(std::string_view name);
const UnaryFunction &unary_function_at(unsigned position);
const BinaryFunction &binary_function_at(unsigned position);
const ComplexFunction &complex_function_at(unsigned position);

/// One part (0: real, 1: imaginary) of (a + bi) / (c + di), and of a function of a + bi.
Wide complex_quotient(unsigned part, Wide a, Wide b, Wide c, Wide d);
Wide complex_value(unsigned function, unsigned part, Wide a, Wide b);

} // namespace assay::widen
