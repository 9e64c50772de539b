// Complex numbers: adjoints of the two real parts, and derivatives of holomorphic functions.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <complex>
#include <vector>

using namespace assay;
using Complex = std::complex<double>;

namespace {

Complex square(Complex z) {
  return z * z;
}
Complex conjugated(Complex z) {
  return std::conj(z);
}
double norm_squared(Complex z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
Complex polynomial(const std::vector<Complex> &coefficients, Complex z) {
  Complex sum = 0, power = 1;
  for (const Complex &c : coefficients) {
    sum += c * power;
    power *= z;
  }
  return sum;
}
Complex scaled(Complex z, double factor) {
  return factor * z;
}

void expect_complex(Complex actual, Complex expected) {
  EXPECT_CLOSE(actual.real(), expected.real());
  EXPECT_CLOSE(actual.imag(), expected.imag());
}

PLUGIN_TEST(Complex, ActiveArgumentsHaveTheAdjointsOfBothParts) {
  // L = |z|^2: dL/dx + i dL/dy = 2 z.
  const auto result = autodiff<Reverse>(norm_squared, Active{Complex(1, 2)});
  expect_complex(std::get<0>(result.gradient), Complex(2, 4));
}

PLUGIN_TEST(Complex, ResultsTakeAnAdjointOfBothParts) {
  const Complex z(1, 2);
  // Seed 1: of the real part x^2 - y^2. Seed i: of the imaginary part 2xy.
  expect_complex(std::get<0>(autodiff<Reverse>(square, Seed{Complex(1, 0)}, Active{z}).gradient), Complex(2, -4));
  expect_complex(std::get<0>(autodiff<Reverse>(square, Seed{Complex(0, 1)}, Active{z}).gradient), Complex(4, 2));
  expect_complex(std::get<0>(autodiff<Reverse>(conjugated, Seed{Complex(0, 1)}, Active{z}).gradient), Complex(0, -1));
}

PLUGIN_TEST(Complex, TangentsAreComplex) {
  const auto result = autodiff<ForwardWithPrimal>(square, Duplicated{Complex(1, 2), Complex(0, 1)});
  expect_complex(result.primal, Complex(-3, 4));
  expect_complex(result.derivative, Complex(-4, 2));
}

PLUGIN_TEST(Complex, JacobiansHaveTwoRowsAndColumnsForEachNumber) {
  const auto j = jacobian<Forward>(square, Complex(1, 2));
  EXPECT_HOLDS(j.rows() == 2 && j.cols() == 2);
  EXPECT_SAME(j(0, 0), 2.0);
  EXPECT_SAME(j(0, 1), -4.0);
  EXPECT_SAME(j(1, 0), 4.0);
  EXPECT_SAME(j(1, 1), 2.0);
}

PLUGIN_TEST(Holomorphic, GivesTheDerivative) {
  const Complex z(1, 2);
  const auto result = autodiff<ReverseHolomorphicWithPrimal>(square, Active{z});
  expect_complex(result.primal, z * z);
  expect_complex(std::get<0>(result.gradient), 2.0 * z);
  expect_complex(std::get<0>(autodiff<set_holomorphic(Reverse)>(square, Active{z}).gradient), 2.0 * z);
}

PLUGIN_TEST(Holomorphic, AddsDerivativesIntoShadows) {
  const Complex z(0.5, -1);
  const std::vector<Complex> c{{1, 1}, {2, -1}, {0, 3}};
  std::vector<Complex> dc{{10, 20}, 0, 0};
  const auto result = autodiff<ReverseHolomorphic>(polynomial, Duplicated{c, dc}, Active{z});
  expect_complex(std::get<1>(result.gradient), c[1] + 2.0 * c[2] * z);
  expect_complex(dc[0], Complex(11, 20));
  expect_complex(dc[1], z);
  expect_complex(dc[2], z * z);
}

PLUGIN_TEST(Holomorphic, TakesRealArgumentsAsConstants) {
  expect_complex(std::get<0>(autodiff<ReverseHolomorphic>(scaled, Active{Complex(1, 2)}, Const{3.0}).gradient), 3.0);
}

} // namespace
