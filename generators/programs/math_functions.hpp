#pragma once
// The mathematical functions that programs call: their domains and the range on an interval.

#include <array>
#include <span>
#include <string_view>

namespace assay::gen::programs {

struct Interval {
  double low = 0, high = 0;

  bool within(Interval other) const { return low >= other.low && high <= other.high; }
};

struct MathFunction {
  std::string_view name; ///< For double; float has an f after it, long double an l.
  int arity;
  std::array<Interval, 3> domain;
  Interval (*range)(std::span<const Interval>);
  std::string_view elementwise; ///< Of vectors: `__builtin_elementwise_` and this; empty for none.
};

std::span<const MathFunction> math_functions();
/// The function's place among them.
int math_id(std::string_view name);

Interval operator+(Interval left, Interval right);
Interval operator-(Interval left, Interval right);
Interval operator*(Interval left, Interval right);
Interval hull(Interval left, Interval right);

} // namespace assay::gen::programs
