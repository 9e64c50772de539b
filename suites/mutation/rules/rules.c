/* One function of the mathematical library each, inside its domain: for faults in the rules. */
#define _GNU_SOURCE
#include <assay/check.h>
#include <complex.h>
#include <math.h>

static double complex pair(double re, double im) {
  return __builtin_complex(re, im);
}

#define UNARY(name, domain)                                                                                            \
  double of_##name(double x) {                                                                                         \
    return name(x);                                                                                                    \
  }                                                                                                                    \
  ASSAY_CHECK(of_##name, "double:" domain)
#define BINARY(name, first, second)                                                                                    \
  double of_##name(double x, double y) {                                                                               \
    return name(x, y);                                                                                                 \
  }                                                                                                                    \
  ASSAY_CHECK(of_##name, "double:" first, "double:" second)

UNARY(sin, "(-3,3)");
UNARY(cos, "(-3,3)");
UNARY(tan, "(-1.3,1.3)");
UNARY(asin, "(-0.9,0.9)");
UNARY(acos, "(-0.9,0.9)");
UNARY(atan, "(-3,3)");
UNARY(sinh, "(-2,2)");
UNARY(cosh, "(-2,2)");
UNARY(tanh, "(-2,2)");
UNARY(asinh, "(-3,3)");
UNARY(acosh, "(1.2,4)");
UNARY(atanh, "(-0.9,0.9)");
UNARY(exp, "(-2,2)");
UNARY(exp2, "(-2,2)");
UNARY(exp10, "(-1,1)");
UNARY(expm1, "(-2,2)");
UNARY(log, "(0.2,4)");
UNARY(log2, "(0.2,4)");
UNARY(log10, "(0.2,4)");
UNARY(log1p, "(-0.7,3)");
UNARY(sqrt, "(0.2,4)");
UNARY(cbrt, "(0.2,4)");
UNARY(erf, "(-2,2)");
UNARY(erfc, "(-2,2)");
UNARY(lgamma, "(0.4,5)");
UNARY(tgamma, "(0.4,4)");
UNARY(j0, "(0.3,6)");
UNARY(j1, "(0.3,6)");
UNARY(y0, "(0.4,6)");
UNARY(y1, "(0.4,6)");
UNARY(fabs, "(-3,3)");
UNARY(floor, "(-3,3)");
BINARY(pow, "(0.3,3)", "(-2,2)");
BINARY(atan2, "(-3,3)", "(-3,3)");
BINARY(hypot, "(-3,3)", "(-3,3)");
BINARY(fmod, "(3.2,3.8)", "(1.1,1.4)");
BINARY(remainder, "(3.2,3.6)", "(2.1,2.3)");
BINARY(fmin, "(-3,3)", "(-3,3)");
BINARY(fmax, "(-3,3)", "(-3,3)");
BINARY(fdim, "(-3,3)", "(-3,3)");
BINARY(copysign, "nonzero", "nonzero");

double of_division(double x, double y) {
  return x / y;
}
ASSAY_CHECK(of_division, "double:(-3,3)", "double:(0.5,3)");
double of_product(double x, double y) {
  return x * y;
}
ASSAY_CHECK(of_product, "double:(-3,3)", "double:(-3,3)");
double of_difference(double x, double y) {
  return x - y;
}
ASSAY_CHECK(of_difference, "double:(-3,3)", "double:(-3,3)");
double of_sum(double x, double y) {
  return x + y;
}
ASSAY_CHECK(of_sum, "double:(-3,3)", "double:(-3,3)");
double of_negation(double x) {
  return -x;
}
ASSAY_CHECK(of_negation, "double:(-3,3)");
double of_fma(double x, double y, double z) {
  return fma(x, y, z);
}
ASSAY_CHECK(of_fma, "double:(-3,3)", "double:(-3,3)", "double:(-3,3)");
double of_ldexp(double x) {
  return ldexp(x, 3);
}
ASSAY_CHECK(of_ldexp, "double:(-3,3)");
double of_jn(double x) {
  return jn(3, x);
}
ASSAY_CHECK(of_jn, "double:(0.5,6)");
double of_yn(double x) {
  return yn(2, x);
}
ASSAY_CHECK(of_yn, "double:(0.8,6)");
double of_powi(double x) {
  return __builtin_powi(x, 5);
}
ASSAY_CHECK(of_powi, "double:(-2,2)");

#define COMPLEX(name, domain)                                                                                          \
  double of_c##name(double x, double y) {                                                                              \
    const double complex w = c##name(pair(x, y));                                                                      \
    return creal(w) + 2 * cimag(w) * creal(w);                                                                         \
  }                                                                                                                    \
  ASSAY_CHECK(of_c##name, "double:" domain, "double:" domain)

COMPLEX(exp, "(-2,2)");
COMPLEX(log, "(-2,2)");
COMPLEX(sqrt, "(-2,2)");
COMPLEX(sin, "(-2,2)");
COMPLEX(cos, "(-2,2)");
COMPLEX(tan, "(-2,2)");
COMPLEX(sinh, "(-2,2)");
COMPLEX(cosh, "(-2,2)");
COMPLEX(tanh, "(-2,2)");
COMPLEX(asin, "(-2,2)");
COMPLEX(acos, "(-2,2)");
COMPLEX(atan, "(-2,2)");
COMPLEX(asinh, "(-2,2)");
COMPLEX(acosh, "(-2,2)");
COMPLEX(atanh, "(-2,2)");

double of_cpow(double x, double y, double s, double t) {
  const double complex w = cpow(pair(x, y), pair(s, t));
  return creal(w) - cimag(w) * creal(w);
}
ASSAY_CHECK(of_cpow, "double:(-1.5,1.5)", "double:(-1.5,1.5)", "double:(-1,1)", "double:(-1,1)");
