#include "generators/programs/complex_functions.hpp"

#include <algorithm>
#include <cmath>

namespace assay::gen::programs {

namespace {

constexpr Interval any_part{-1e6, 1e6};
constexpr Interval to_the_right{0.1, 1e6}; ///< Clear of the branch cuts.
constexpr double smallest_square = 0.05;

double largest(Interval x) {
  return std::max(std::fabs(x.low), std::fabs(x.high));
}

Interval square(Interval x) {
  const bool has_zero = x.low <= 0 && x.high >= 0;
  const double smallest = has_zero ? 0 : std::min(std::fabs(x.low), std::fabs(x.high));
  return {smallest * smallest, largest(x) * largest(x)};
}

double modulus(Rectangle z) {
  return std::hypot(largest(z.real), largest(z.imaginary));
}

Rectangle disc(double radius) {
  return {{-radius, radius}, {-radius, radius}};
}

constexpr std::array<ComplexFunction, 8> complex_table{{
    {"cexp", false, {{-6, 2}, any_part}, [](Rectangle z) { return disc(std::exp(z.real.high)); }},
    {"csin", false, {any_part, {-1.5, 1.5}}, [](Rectangle z) { return disc(std::cosh(largest(z.imaginary))); }},
    {"ccos", false, {any_part, {-1.5, 1.5}}, [](Rectangle z) { return disc(std::cosh(largest(z.imaginary))); }},
    {"csqrt", false, {to_the_right, any_part}, [](Rectangle z) { return disc(std::sqrt(modulus(z))); }},
    {"clog",
     false,
     {to_the_right, any_part},
     [](Rectangle z) { return Rectangle{{std::log(z.real.low), std::log(modulus(z))}, {-1.6, 1.6}}; }},
    {"ctanh", false, {any_part, {-1, 1}}, [](Rectangle) { return disc(1.6); }},
    {"cabs", true, {to_the_right, any_part}, [](Rectangle z) { return Rectangle{{z.real.low, modulus(z)}, {0, 0}}; }},
    {"carg", true, {to_the_right, any_part}, [](Rectangle) { return Rectangle{{-1.6, 1.6}, {0, 0}}; }},
}};

} // namespace

std::span<const ComplexFunction> complex_functions() {
  return complex_table;
}

Rectangle operator+(Rectangle left, Rectangle right) {
  return {left.real + right.real, left.imaginary + right.imaginary};
}

Rectangle operator-(Rectangle left, Rectangle right) {
  return {left.real - right.real, left.imaginary - right.imaginary};
}

Rectangle operator*(Rectangle left, Rectangle right) {
  return {left.real * right.real - left.imaginary * right.imaginary,
          left.real * right.imaginary + left.imaginary * right.real};
}

std::optional<Rectangle> operator/(Rectangle left, Rectangle right) {
  const Interval squares = square(right.real) + square(right.imaginary);
  if (squares.low < smallest_square)
    return std::nullopt;
  const Interval inverse{1 / squares.high, 1 / squares.low};
  const Rectangle product = left * Rectangle{right.real, {-right.imaginary.high, -right.imaginary.low}};
  return Rectangle{product.real * inverse, product.imaginary * inverse};
}

} // namespace assay::gen::programs
