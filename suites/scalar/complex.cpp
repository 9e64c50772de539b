// Functions of complex numbers: each part, by each part of the argument, against fourth-order differences in long
// double.
#include "scalar/scalar_case.hpp"
#include "support/plugin_test.hpp"
#include <complex>

namespace {

using assay::suites::Pair;

/// Derivative of the complex function `f` at z: holomorphic, so any direction will do.
template <class Function>
std::complex<long double> derivative(Function f, std::complex<long double> z) {
  const long double h = 0x1p-13L;
  return (f(z - 2 * h) - f(z + 2 * h) + 8.0L * (f(z + h) - f(z - h))) / (12 * h);
}

constexpr double at_x = 0.4, at_y = -0.7;

template <class T>
void expect_part(const Pair<T> &reverse, T forward, long double by_x, long double by_y, const char *what, int line) {
  const double tolerance = sizeof(T) == sizeof(float) ? 4e-6 : 2e-13;
  assay::suites::expect_near(reverse.first, static_cast<double>(by_x), tolerance, what, __FILE__, line);
  assay::suites::expect_near(reverse.second, static_cast<double>(by_y), tolerance, what, __FILE__, line);
  assay::suites::expect_near(forward, static_cast<double>(by_x - by_y / 2), tolerance, what, __FILE__, line);
}

template <class T, T (*real)(T, T), T (*imag)(T, T)>
void check(std::complex<long double> expected, const char *what, int line) {
  const T x = at_x, y = at_y, dx = 1, dy = -0.5;
  const auto real_function = reinterpret_cast<void *>(real), imag_function = reinterpret_cast<void *>(imag);
  expect_part<T>(__enzyme_autodiff<Pair<T>>(real_function, x, y),
                 __enzyme_fwddiff<T>(real_function, enzyme_dup, x, dx, enzyme_dup, y, dy), expected.real(),
                 -expected.imag(), what, line);
  expect_part<T>(__enzyme_autodiff<Pair<T>>(imag_function, x, y),
                 __enzyme_fwddiff<T>(imag_function, enzyme_dup, x, dx, enzyme_dup, y, dy), expected.imag(),
                 expected.real(), what, line);
}

/// w = `expression` of the complex number z, whose type is std::complex<T>.
#define COMPLEX_TEST(name, expression)                                                                                 \
  template <class T>                                                                                                   \
  std::complex<T> function_##name(std::complex<T> z) {                                                                 \
    return expression;                                                                                                 \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  T real_##name(T x, T y) {                                                                                            \
    return function_##name(std::complex<T>(x, y)).real();                                                              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  T imag_##name(T x, T y) {                                                                                            \
    return function_##name(std::complex<T>(x, y)).imag();                                                              \
  }                                                                                                                    \
  PLUGIN_TEST(Complex, name) {                                                                                         \
    check<double, real_##name<double>, imag_##name<double>>(                                                           \
        derivative(function_##name<long double>, {static_cast<long double>(at_x), static_cast<long double>(at_y)}),    \
        #name, __LINE__);                                                                                              \
    check<float, real_##name<float>, imag_##name<float>>(                                                              \
        derivative(function_##name<long double>, {static_cast<float>(at_x), static_cast<float>(at_y)}),                \
        #name " float", __LINE__);                                                                                     \
  }

COMPLEX_TEST(product, z *(z + std::complex<T>(1, 2)))
COMPLEX_TEST(quotient, (z + T(1)) / (z * z + std::complex<T>(0, 1)))
COMPLEX_TEST(exp, std::exp(z))
COMPLEX_TEST(log, std::log(z))
COMPLEX_TEST(sqrt, std::sqrt(z))
COMPLEX_TEST(power, std::pow(z, std::complex<T>(2, 1)))
COMPLEX_TEST(exponent, std::pow(std::complex<T>(2, 1), z))
COMPLEX_TEST(real_power, std::pow(z, T(2.5)))
COMPLEX_TEST(sin, std::sin(z))
COMPLEX_TEST(cos, std::cos(z))
COMPLEX_TEST(tan, std::tan(z))
COMPLEX_TEST(sinh, std::sinh(z))
COMPLEX_TEST(cosh, std::cosh(z))
COMPLEX_TEST(tanh, std::tanh(z))
COMPLEX_TEST(asin, std::asin(z))
COMPLEX_TEST(acos, std::acos(z))
COMPLEX_TEST(atan, std::atan(z))
COMPLEX_TEST(asinh, std::asinh(z))
COMPLEX_TEST(acosh, std::acosh(z))
COMPLEX_TEST(atanh, std::atanh(z))

double modulus(double x, double y) {
  return std::abs(std::complex<double>(x, y));
}
double argument(double x, double y) {
  return std::arg(std::complex<double>(x, y));
}

/// |z[0] z[1] ... z[n-1]|^2
double squared_product(const std::complex<double> *z, int n) {
  std::complex<double> product = 1;
  for (int i = 0; i < n; ++i)
    product *= z[i];
  return std::norm(product);
}

} // namespace

PLUGIN_TEST(Complex, ModulusAndArgument) {
  const auto of_modulus = __enzyme_autodiff<Pair<double>>(reinterpret_cast<void *>(modulus), 3.0, -4.0);
  EXPECT_CLOSE(of_modulus.first, 0.6);
  EXPECT_CLOSE(of_modulus.second, -0.8);
  const auto of_argument = __enzyme_autodiff<Pair<double>>(reinterpret_cast<void *>(argument), 3.0, -4.0);
  EXPECT_CLOSE(of_argument.first, 4.0 / 25);
  EXPECT_CLOSE(of_argument.second, 3.0 / 25);
}

PLUGIN_TEST(Complex, ProductsInALoopAccumulateInTheShadow) {
  std::complex<double> z[] = {{1, 2}, {-0.5, 1}, {3, -1}}, shadow[3] = {};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(squared_product), enzyme_dup, z, shadow, enzyme_const, 3);
  const double value = squared_product(z, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_CLOSE(shadow[i].real(), 2 * value * z[i].real() / std::norm(z[i]));
    EXPECT_CLOSE(shadow[i].imag(), 2 * value * z[i].imag() / std::norm(z[i]));
  }
}
