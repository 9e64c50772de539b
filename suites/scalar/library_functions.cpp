// The rarer functions of math.h in all three precisions: results beside the value, operands of which one is taken,
// neighbours, integers that are drawn from a number.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>

namespace {

constexpr long double step = 1e-3L;

/// Of fourth order.
long double difference(long double (*function)(long double), long double x) {
  return (8 * (function(x + step) - function(x - step)) - (function(x + 2 * step) - function(x - 2 * step))) /
         (12 * step);
}

template <class T>
void check(const char *name, T reverse, T forward, long double expected, double tolerance) {
  assay::suites::expect_near(double(reverse), double(expected), tolerance, name, __FILE__, __LINE__);
  assay::suites::expect_near(double(forward), double(expected), tolerance, name, __FILE__, __LINE__);
}

} // namespace

#define CHECK_AT(function, x)                                                                                          \
  {                                                                                                                    \
    const long double expected = difference(function##_long, x);                                                       \
    check<float>(#function "f", __enzyme_autodiff<float>((void *)function##_single, float(x)),                         \
                 __enzyme_fwddiff<float>((void *)function##_single, float(x), 1.0F), expected, 2e-5);                  \
    check<double>(#function, __enzyme_autodiff<double>((void *)function##_double, double(x)),                          \
                  __enzyme_fwddiff<double>((void *)function##_double, double(x), 1.0), expected, 1e-9);                \
    check<long double>(#function "l", __enzyme_autodiff<long double>((void *)function##_long, x),                      \
                       __enzyme_fwddiff<long double>((void *)function##_long, x, 1.0L), expected, 1e-9);               \
  }
/// `body(x, suffix)` is the value at x, computed in T.
#define FUNCTION(name, body)                                                                                           \
  static float name##_single(float x) {                                                                                \
    using T = float;                                                                                                   \
    return body(x, f);                                                                                                 \
  }                                                                                                                    \
  static double name##_double(double x) {                                                                              \
    using T = double;                                                                                                  \
    return body(x, );                                                                                                  \
  }                                                                                                                    \
  static long double name##_long(long double x) {                                                                      \
    using T = long double;                                                                                             \
    return body(x, l);                                                                                                 \
  }

#define NEIGHBOURS(x, s) nextup##s(x) * nextdown##s(x) * nextafter##s(x, T(9)) * nexttoward##s(x, 9.0L)
#define MAGNITUDES(x, s)                                                                                               \
  fmaximum_mag##s(x, T(-2)) * fminimum_mag##s(T(-2), x) + fmaximum_mag_num##s(x, x *x) * fminmag##s(x, T(0.5))
#define EXTREMA(x, s)                                                                                                  \
  fmaximum##s(x, T(1)) * fminimum_num##s(x, T(1)) * fmax##s(x *x, x) * fmin##s(T(3), x) * fdim##s(T(4), x)
#define REMAINDERS(x, s)                                                                                               \
  fmod##s(5 * x, T(2)) * remainder##s(T(7), x) * drem##s(x, T(3)) + ({                                                 \
    int quotient;                                                                                                      \
    remquo##s(9 * x, T(2), &quotient) * quotient;                                                                      \
  })
#define PARTS(x, s)                                                                                                    \
  ({                                                                                                                   \
    int exponent, sign;                                                                                                \
    T whole, sine, cosine;                                                                                             \
    const T fraction = frexp##s(8 * x, &exponent) * modf##s(5 * x, &whole) * lgamma##s##_r(x, &sign);                  \
    sincos##s(x, &sine, &cosine);                                                                                      \
    fraction * exponent * whole * sign * sine *cosine;                                                                 \
  })
// Compilers make an intrinsic of what is called by the name of a builtin, as <cmath> does for float and long double.
#define BUILTIN_PARTS(x, s)                                                                                            \
  ({                                                                                                                   \
    int exponent;                                                                                                      \
    T whole;                                                                                                           \
    const T fraction = __builtin_frexp##s(8 * x, &exponent) * __builtin_modf##s(5 * x, &whole);                        \
    fraction * exponent * whole;                                                                                       \
  })
#define SCALED(x, s)                                                                                                   \
  ldexp##s(x, 3) * scalbn##s(x, -1) * scalbln##s(x, 2L) * scalb##s(x, T(1)) * significand##s(9 * x) *                  \
      fma##s(x, x, x) * logb##s(x + 4)
#define INTEGERS(x, s)                                                                                                 \
  x * x * (ilogb##s(9 * x) + llogb##s(5 * x) + lrint##s(x) + llround##s(x) + fromfp##s(3 * x, 1, 8))

FUNCTION(neighbours, NEIGHBOURS)
FUNCTION(magnitudes, MAGNITUDES)
FUNCTION(extrema, EXTREMA)
FUNCTION(remainders, REMAINDERS)
FUNCTION(parts, PARTS)
FUNCTION(builtin_parts, BUILTIN_PARTS)
FUNCTION(scaled, SCALED)
FUNCTION(integers, INTEGERS)

PLUGIN_TEST(LibraryFunctions, NeighboursHaveTheDerivativeOfTheNumber) {
  CHECK_AT(neighbours, 0.7L);
}
PLUGIN_TEST(LibraryFunctions, OneOfTwoOperandsIsTaken) {
  CHECK_AT(magnitudes, 0.7L);
  CHECK_AT(magnitudes, -2.7L);
  CHECK_AT(extrema, 0.7L);
  CHECK_AT(extrema, 2.3L);
}
PLUGIN_TEST(LibraryFunctions, RemaindersLoseTheQuotient) {
  CHECK_AT(remainders, 0.7L);
  CHECK_AT(remainders, 1.9L);
}
PLUGIN_TEST(LibraryFunctions, PartsAreStoredBesideTheResult) {
  CHECK_AT(parts, 0.7L);
  CHECK_AT(builtin_parts, 0.7L);
}
PLUGIN_TEST(LibraryFunctions, PowersOfTwoAndIntegersCarryNoDerivative) {
  CHECK_AT(scaled, 0.7L);
  CHECK_AT(integers, 1.3L);
}
