#include "support/vector_program.hpp"

extern "C" double complex_value(int program, const double *x);
extern "C" double complex_derivatives(int program, const double *x, double *gradient, const double *tangent);

namespace {

void check(int program, double tolerance) {
  const std::array<double, 3> x{0.5, 0.7, 0.3}, tangent{1.25, -0.5, 0.75};
  std::array<double, 3> gradient{};
  const double forward = complex_derivatives(program, x.data(), gradient.data(), tangent.data());
  double expected_forward = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = assay::suites::central_difference([&](double change) {
      std::array<double, 3> moved = x;
      moved[i] += change;
      return complex_value(program, moved.data());
    });
    assay::suites::expect_near_element(gradient[i], expected, tolerance, "gradient", i, __FILE__, __LINE__);
    expected_forward += expected * tangent[i];
  }
  assay::suites::expect_near(forward, expected_forward, tolerance, "tangent", __FILE__, __LINE__);
}

} // namespace

PLUGIN_TEST(ComplexNumbers, Functions) {
  check(0, 1e-8);
}
PLUGIN_TEST(ComplexNumbers, Powers) {
  check(1, 1e-8);
}
PLUGIN_TEST(ComplexNumbers, LongFunctions) {
  check(2, 1e-8);
}
PLUGIN_TEST(ComplexNumbers, LongArguments) {
  check(3, 1e-8);
}
PLUGIN_TEST(ComplexNumbers, Arrays) {
  check(4, 1e-8);
}
PLUGIN_TEST(ComplexNumbers, SinglePrecision) {
  check(5, 2e-3);
}
