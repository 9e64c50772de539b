// Products of complex numbers as C defines them: where both parts are NaN, the compiler's library looks for infinities.
#include "support/vector_program.hpp"
#include <complex>
#include <limits>
#include <vector>

namespace {

using namespace assay::suites;

/// Products that are carried by a loop, and left out in some iterations.
template <class Number>
std::complex<Number> chain(const std::complex<Number> *z, int count) {
  std::complex<Number> product = 1, sum = 0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      if (i != j)
        product *= z[i] - z[j];
      sum += product * z[j] * Number(0.1);
    }
  return sum / (product + Number(3));
}

template <class Number>
double chained(const double *x, int n) {
  std::vector<std::complex<Number>> z(n / 2);
  for (int i = 0; i < n / 2; ++i)
    z[i] = std::complex<Number>(Number(x[2 * i]), Number(x[2 * i + 1]));
  const std::complex<Number> result = chain(z.data(), n / 2);
  return double(result.real() * result.imag() + result.real());
}

double gates(const double *x, int n) {
  std::complex<double> state[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  for (int layer = 0; layer < 3; ++layer)
    for (int bit = 0; bit < 3; ++bit) {
      const double angle = x[(layer + bit) % n], phase = x[(2 * layer + bit) % n];
      const auto off = std::polar(std::sin(angle), phase);
      for (int i = 0; i < 8; ++i)
        if (!(i >> bit & 1)) {
          const auto a = state[i], b = state[i | 1 << bit];
          state[i] = std::cos(angle) * a - off * b;
          state[i | 1 << bit] = std::conj(off) * a + std::cos(angle) * b;
        }
    }
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += std::norm(state[i]) * i;
  return sum;
}

double cubes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const std::complex<double> z(x[i], x[i + 1]), cube = z * z * z;
    sum += cube.real() * cube.imag();
  }
  return sum;
}

/// Of a gradient.
double slope_of_cubes(const double *x, int n) {
  std::vector<double> gradient(n);
  __enzyme_autodiff<void>((void *)cubes, enzyme_dup, x, gradient.data(), enzyme_const, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += gradient[i] * (i + 1);
  return sum;
}

void multiply(double *x, int) {
  const std::complex<double> z(x[0], x[1]), w(x[2], x[3]);
  const std::complex<double> product = z * w;
  x[0] = product.real();
  x[1] = product.imag();
}

} // namespace

PLUGIN_TEST(ComplexProducts, OfDoublesInLoops) {
  CHECK_FUNCTION(chained<double>, 0.9, 1.1, -0.7, 0.4, 0.3, -0.2);
}
PLUGIN_TEST(ComplexProducts, OfLongDoublesInLoops) {
  CHECK_FUNCTION(chained<long double>, 0.9, 1.1, -0.7, 0.4, 0.3, -0.2);
}
PLUGIN_TEST(ComplexProducts, OfFloatsInLoops) {
  check_function<chained<float>>(Numbers<6>{0.9, 1.1, -0.7, 0.4, 0.3, -0.2}, __FILE__, __LINE__, 1e-3);
}
PLUGIN_TEST(ComplexProducts, OfGates) {
  CHECK_FUNCTION(gates, 0.9, 1.1, -0.7, 0.4);
}
PLUGIN_TEST(ComplexProducts, HaveSecondDerivatives) {
  CHECK_FUNCTION(slope_of_cubes, 0.9, 1.1, -0.7, 0.4);
}

/// The primal in a derivative is that of the program, infinities included.
PLUGIN_TEST(ComplexProducts, OfInfinitiesAreThoseOfTheProgram) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const Numbers<4> &x : {Numbers<4>{infinity, infinity, 2, 3},
                              {infinity, nan, 2, 3},
                              {1, infinity, infinity, 0},
                              {nan, nan, 1, 1},
                              {0, infinity, infinity, infinity},
                              {1e200, 1e200, 1e200, -1e200}}) {
    Numbers<4> expected = x, forward = x, reverse = x, tangent{}, shadow{};
    hide(expected);
    multiply(expected.data(), 4);
    __enzyme_fwddiff<void>((void *)multiply, enzyme_dup, forward.data(), tangent.data(), enzyme_const, 4);
    __enzyme_autodiff<void>((void *)multiply, enzyme_dup, reverse.data(), shadow.data(), enzyme_const, 4);
    for (int part : {0, 1}) {
      const bool is_nan = std::isnan(expected[part]);
      expect_true(is_nan ? std::isnan(forward[part]) : forward[part] == expected[part], "forward", __FILE__, __LINE__);
      expect_true(is_nan ? std::isnan(reverse[part]) : reverse[part] == expected[part], "reverse", __FILE__, __LINE__);
    }
  }
}
