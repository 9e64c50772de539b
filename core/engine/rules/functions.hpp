#pragma once
// The mathematical functions that derivative expressions call, and the constants that they use.

#include "core/engine/rules/expression.hpp"

namespace assay::engine::functions {

#define ASSAY_UNARY(name)                                                                                              \
  inline Expression name(const Expression &x) {                                                                        \
    return call(#name, x);                                                                                             \
  }
#define ASSAY_BINARY(name)                                                                                             \
  inline Expression name(const Expression &x, const Expression &y) {                                                   \
    return call(#name, x, y);                                                                                          \
  }

ASSAY_UNARY(sin)
ASSAY_UNARY(cos)
ASSAY_UNARY(sinh)
ASSAY_UNARY(cosh)
ASSAY_UNARY(sinpi)
ASSAY_UNARY(cospi)
ASSAY_UNARY(exp)
ASSAY_UNARY(exp2)
ASSAY_UNARY(exp10)
ASSAY_UNARY(log)
ASSAY_UNARY(sqrt)
ASSAY_UNARY(fabs)
ASSAY_UNARY(trunc)
ASSAY_UNARY(round)
ASSAY_UNARY(j0)
ASSAY_UNARY(j1)
ASSAY_UNARY(y0)
ASSAY_UNARY(y1)
ASSAY_UNARY(digamma)
ASSAY_UNARY(cyl_bessel_i0)
ASSAY_UNARY(cyl_bessel_i1)
ASSAY_BINARY(pow)
ASSAY_BINARY(copysign)
ASSAY_BINARY(hypot)
ASSAY_BINARY(atan2)
#undef ASSAY_UNARY
#undef ASSAY_BINARY

/// x^(y - 1), given r = x^y: r / x where that loses nothing, a call of pow elsewhere.
inline Expression lowered_power(const Expression &x, const Expression &y, const Expression &r) {
  return call("lowered_power", x, y, r);
}
inline Expression powi(const Expression &x, const Integer &n) {
  return call("powi", x, n);
}

inline Expression pi() {
  return Expression("3.14159265358979323846264338327950288419716939937510582");
}
inline Expression inverse_pi() {
  return Expression("0.318309886183790671537767526745028724068919291480912898");
}
inline Expression ln2() {
  return Expression("0.693147180559945309417232121458176568075500134360255254");
}
inline Expression ln10() {
  return Expression("2.30258509299404568401799145468436420760110148862877298");
}
inline Expression log2e() {
  return Expression("1.44269504088896340735992468100189213742664595415298593");
}
inline Expression log10e() {
  return Expression("0.434294481903251827651128918916605082294397005803666566");
}
inline Expression two_over_sqrt_pi() {
  return Expression("1.12837916709551257389615890312154517168810125865799771");
}
inline Expression half_sqrt_pi() {
  return Expression("0.886226925452758013649083741670572591398774728061193564");
}
inline Expression inverse_sqrt_two_pi() {
  return Expression("0.398942280401432677939946059934381868475858631164934658");
}
inline Expression sqrt_two_pi() {
  return Expression("2.50662827463100050241576528481104525300698674060993832");
}
inline Expression half() {
  return Expression("0.5");
}
inline Expression third() {
  return Expression("0.333333333333333333333333333333333333333333333333333333");
}

} // namespace assay::engine::functions
