#pragma once
// One function of the C library in one precision, and its partial derivatives by both modes. Sources that are compiled
// with the plugin register such cases; scalar_check.cpp, compiled without it, tests each against fifty-digit
// differences.

#include "support/convention.hpp"

namespace assay::suites {

/// Writes the partial derivatives at `x` (and the integer argument `n`).
using PartialsFunction = void (*)(const long double *x, int n, long double *partials);

struct ScalarCase {
  const char *function;  ///< as in the reference table
  const char *precision; ///< "float", "double" or "extended"
  PartialsFunction reverse, forward;
};

struct ScalarRegistration {
  explicit ScalarRegistration(const ScalarCase &registered);
};

template <class T>
struct Pair {
  T first, second;
};
template <class T>
struct Triple {
  T first, second, third;
};

template <class T, T (*f)(T)>
struct Unary {
  static void reverse(const long double *x, int, long double *partials) {
    partials[0] = __enzyme_autodiff<T>(reinterpret_cast<void *>(f), static_cast<T>(x[0]));
  }
  static void forward(const long double *x, int, long double *partials) {
    partials[0] = __enzyme_fwddiff<T>(reinterpret_cast<void *>(f), enzyme_dup, static_cast<T>(x[0]), static_cast<T>(1));
  }
};

template <class T, T (*f)(T, T)>
struct Binary {
  static void reverse(const long double *x, int, long double *partials) {
    const auto gradient =
        __enzyme_autodiff<Pair<T>>(reinterpret_cast<void *>(f), static_cast<T>(x[0]), static_cast<T>(x[1]));
    partials[0] = gradient.first;
    partials[1] = gradient.second;
  }
  static void forward(const long double *x, int, long double *partials) {
    for (int i = 0; i < 2; ++i)
      partials[i] =
          __enzyme_fwddiff<T>(reinterpret_cast<void *>(f), enzyme_dup, static_cast<T>(x[0]), static_cast<T>(i == 0),
                              enzyme_dup, static_cast<T>(x[1]), static_cast<T>(i == 1));
  }
};

template <class T, T (*f)(T, T, T)>
struct Ternary {
  static void reverse(const long double *x, int, long double *partials) {
    const auto gradient = __enzyme_autodiff<Triple<T>>(reinterpret_cast<void *>(f), static_cast<T>(x[0]),
                                                       static_cast<T>(x[1]), static_cast<T>(x[2]));
    partials[0] = gradient.first;
    partials[1] = gradient.second;
    partials[2] = gradient.third;
  }
  static void forward(const long double *x, int, long double *partials) {
    for (int i = 0; i < 3; ++i)
      partials[i] = __enzyme_fwddiff<T>(
          reinterpret_cast<void *>(f), enzyme_dup, static_cast<T>(x[0]), static_cast<T>(i == 0), enzyme_dup,
          static_cast<T>(x[1]), static_cast<T>(i == 1), enzyme_dup, static_cast<T>(x[2]), static_cast<T>(i == 2));
  }
};

template <class T, T (*f)(T, int)>
struct WithInteger {
  static void reverse(const long double *x, int n, long double *partials) {
    partials[0] = __enzyme_autodiff<T>(reinterpret_cast<void *>(f), static_cast<T>(x[0]), n);
  }
  static void forward(const long double *x, int n, long double *partials) {
    partials[0] =
        __enzyme_fwddiff<T>(reinterpret_cast<void *>(f), enzyme_dup, static_cast<T>(x[0]), static_cast<T>(1), n);
  }
};

} // namespace assay::suites

/// A function `TYPE NAME_PRECISION PARAMETERS` that returns `expression`, as a case of the given form.
#define SCALAR_CASE(form, name, precision, type, parameters, expression)                                               \
  static type name##_##precision parameters {                                                                          \
    return expression;                                                                                                 \
  }                                                                                                                    \
  static const assay::suites::ScalarRegistration name##_##precision##_registration{                                    \
      {#name, #precision, assay::suites::form<type, name##_##precision>::reverse,                                      \
       assay::suites::form<type, name##_##precision>::forward}};

/// The three spellings of a function of the C library.
#define SCALAR_UNARY(name)                                                                                             \
  SCALAR_CASE(Unary, name, float, float, (float x), name##f(x))                                                        \
  SCALAR_CASE(Unary, name, double, double, (double x), name(x))                                                        \
  SCALAR_CASE(Unary, name, extended, long double, (long double x), name##l(x))
#define SCALAR_BINARY(name)                                                                                            \
  SCALAR_CASE(Binary, name, float, float, (float x, float y), name##f(x, y))                                           \
  SCALAR_CASE(Binary, name, double, double, (double x, double y), name(x, y))                                          \
  SCALAR_CASE(Binary, name, extended, long double, (long double x, long double y), name##l(x, y))
#define SCALAR_TERNARY(name)                                                                                           \
  SCALAR_CASE(Ternary, name, float, float, (float x, float y, float z), name##f(x, y, z))                              \
  SCALAR_CASE(Ternary, name, double, double, (double x, double y, double z), name(x, y, z))                            \
  SCALAR_CASE(Ternary, name, extended, long double, (long double x, long double y, long double z), name##l(x, y, z))
/// Functions of a number and an integer, in this order.
#define SCALAR_WITH_INTEGER(name)                                                                                      \
  SCALAR_CASE(WithInteger, name, float, float, (float x, int n), name##f(x, n))                                        \
  SCALAR_CASE(WithInteger, name, double, double, (double x, int n), name(x, n))                                        \
  SCALAR_CASE(WithInteger, name, extended, long double, (long double x, int n), name##l(x, n))
/// Functions of an integer and a number, in this order.
#define SCALAR_OF_ORDER(name)                                                                                          \
  SCALAR_CASE(WithInteger, name, float, float, (float x, int n), name##f(n, x))                                        \
  SCALAR_CASE(WithInteger, name, double, double, (double x, int n), name(n, x))                                        \
  SCALAR_CASE(WithInteger, name, extended, long double, (long double x, int n), name##l(n, x))
