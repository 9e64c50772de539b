#pragma once
// The functions of complex numbers that programs call: their domains and the range on a rectangle.

#include "generators/programs/math_functions.hpp"

#include <optional>

namespace assay::gen::programs {

/// Where a complex number lies.
struct Rectangle {
  Interval real, imaginary;

  bool within(Interval both) const { return real.within(both) && imaginary.within(both); }
};

Rectangle operator+(Rectangle left, Rectangle right);
Rectangle operator-(Rectangle left, Rectangle right);
Rectangle operator*(Rectangle left, Rectangle right);
/// Absent where the divisor may be near zero.
std::optional<Rectangle> operator/(Rectangle left, Rectangle right);

struct ComplexFunction {
  std::string_view name; ///< For double; float has an f after it, long double an l.
  bool is_real;          ///< The result.
  Rectangle domain;      ///< Clear of poles and of branch cuts.
  Rectangle (*range)(Rectangle);
};

std::span<const ComplexFunction> complex_functions();

} // namespace assay::gen::programs
