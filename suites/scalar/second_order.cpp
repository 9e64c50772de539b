// Second derivatives: each mode of each mode. What a rule emits must itself have rules, helper functions included.
// The expected values are from thirty-digit arithmetic.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>
#include <complex>

namespace {
constexpr double at = 0.7;
}

#define SECOND_ORDER(name, expression, expected)                                                                       \
  static double name##_value(double x) {                                                                               \
    return expression;                                                                                                 \
  }                                                                                                                    \
  static double name##_reverse(double x) {                                                                             \
    return __enzyme_autodiff<double>(reinterpret_cast<void *>(name##_value), x);                                       \
  }                                                                                                                    \
  static double name##_forward(double x) {                                                                             \
    return __enzyme_fwddiff<double>(reinterpret_cast<void *>(name##_value), enzyme_dup, x, 1.0);                       \
  }                                                                                                                    \
  PLUGIN_TEST(SecondOrder, name) {                                                                                     \
    EXPECT_CLOSE(__enzyme_fwddiff<double>(reinterpret_cast<void *>(name##_reverse), enzyme_dup, at, 1.0), expected);   \
    EXPECT_CLOSE(__enzyme_autodiff<double>(reinterpret_cast<void *>(name##_reverse), at), expected);                   \
    EXPECT_CLOSE(__enzyme_fwddiff<double>(reinterpret_cast<void *>(name##_forward), enzyme_dup, at, 1.0), expected);   \
    EXPECT_CLOSE(__enzyme_autodiff<double>(reinterpret_cast<void *>(name##_forward), at), expected);                   \
  }

SECOND_ORDER(sine, std::sin(x), -0.64421768723769105367)
SECOND_ORDER(tangent, std::tan(x), 2.8796992653148327673)
SECOND_ORDER(hyperbolic_tangent, std::tanh(x), -0.7672323100919165501)
SECOND_ORDER(power, std::pow(x, 2.5), 3.1374750995027833049)
SECOND_ORDER(power_of_itself, std::pow(x, x), 1.4353626510390711165)
SECOND_ORDER(log_gamma, std::lgamma(x), 2.8340491566946106268)
SECOND_ORDER(log_gamma_of_negative, std::lgamma(x - 2.5), 28.138519180732421099)
SECOND_ORDER(gamma_function, std::tgamma(x), 5.610852779233335796)
SECOND_ORDER(error_function, std::erf(x), -0.96778480457475400087)
SECOND_ORDER(hypotenuse, std::hypot(x, 3.0), 0.30785285871711061209)
SECOND_ORDER(angle, std::atan2(x, x *x + 1), -0.90349672468243282017)
SECOND_ORDER(area_sine, std::asinh(x), -0.38487405661968344067)
SECOND_ORDER(cube_root, std::cbrt(x), -0.40267755181070326913)
SECOND_ORDER(square_root, std::sqrt(x), -0.42686736047656915713)
SECOND_ORDER(bessel_zero, j0(x), -0.41120697212160678391)
SECOND_ORDER(bessel_two, jn(2, x), 0.19105927422174505147)
SECOND_ORDER(power_of_two, std::exp2(x), 0.7804982237832697714)
SECOND_ORDER(shifted_logarithm, std::log1p(x), -0.34602076124567474048)
SECOND_ORDER(arc_cosine, std::acos(x), -1.9219530565090330637)
SECOND_ORDER(quotient, (1 + x) / (x * x), 30.8204914618908788)
SECOND_ORDER(complex_exponential, std::exp(std::complex<double>(x, x)).real(), -2.5945902237505380168)
