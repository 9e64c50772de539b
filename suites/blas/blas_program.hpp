#pragma once
// A program of numbers and choices (orders of storage, transposes, sizes) is checked for every choice: reverse and
// forward mode against differences.

#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include "support/vector_program.hpp"
#include <array>
#include <cblas.h>
#include <cstring>

namespace assay::suites {

inline constexpr int most_numbers = 96;
using Inputs = std::array<double, most_numbers>;

/// The values of options, 0 or 1, or numbers such as increments.
struct Choice {
  int values[6];
};
using BlasProgram = double (*)(const double *, const Choice *);

inline CBLAS_ORDER order_of(int choice) {
  return choice != 0 ? CblasRowMajor : CblasColMajor;
}
inline CBLAS_TRANSPOSE transpose_of(int choice) {
  return choice != 0 ? CblasTrans : CblasNoTrans;
}
inline CBLAS_UPLO triangle_of(int choice) {
  return choice != 0 ? CblasUpper : CblasLower;
}
inline CBLAS_DIAG diagonal_of(int choice) {
  return choice != 0 ? CblasUnit : CblasNonUnit;
}
inline CBLAS_SIDE side_of(int choice) {
  return choice != 0 ? CblasLeft : CblasRight;
}

/// No two of them alike, so that no element can stand for another.
inline double weighted_squares(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += (1 + 0.125 * (i % 7)) * values[i] * values[i];
  return sum;
}

inline constexpr double tolerance = 1e-7; // of differences

template <BlasProgram program>
void check_blas(const Choice &choice, const char *file, int line) {
  Inputs x, tangent, shadow{};
  for (int i = 0; i < most_numbers; ++i) {
    x[i] = weight(i) * (i % 3 == 1 ? -1 : 1);
    tangent[i] = direction(i);
  }
  __enzyme_autodiff<void>((void *)program, enzyme_dup, x.data(), shadow.data(), enzyme_const, &choice);
  const double forward =
      __enzyme_fwddiff<double>((void *)program, enzyme_dup, x.data(), tangent.data(), enzyme_const, &choice);
  const double expected = central_difference([&](double change) {
    Inputs moved = x;
    for (int i = 0; i < most_numbers; ++i)
      moved[i] += change * tangent[i];
    return program(moved.data(), &choice);
  });
  double reverse = 0;
  for (int i = 0; i < most_numbers; ++i)
    reverse += shadow[i] * tangent[i];
  expect_near(reverse, expected, tolerance, "reverse", file, line);
  expect_near(forward, expected, tolerance, "forward", file, line);
}

/// For every choice of so many options of two values each, before the sizes.
template <BlasProgram program>
void check_options(int options, Choice sizes, const char *file, int line) {
  for (int bits = 0; bits < 1 << options; ++bits) {
    Choice choice = sizes;
    for (int option = 0; option < options; ++option)
      choice.values[option] = bits >> option & 1;
    check_blas<program>(choice, file, line);
  }
}

/// The gradient of a derivative in a direction is the Hessian times the direction, of which the product with a second
/// direction is symmetric in both.
template <double (*in_direction)(const double *, const double *)>
void check_second_derivative(const char *file, int line) {
  Inputs x, u, v, of_u{}, of_v{};
  for (int i = 0; i < most_numbers; ++i) {
    x[i] = weight(i) * (i % 3 == 1 ? -1 : 1);
    u[i] = direction(i);
    v[i] = direction(i + 40);
  }
  __enzyme_autodiff<void>((void *)in_direction, enzyme_dup, x.data(), of_u.data(), enzyme_const, u.data());
  __enzyme_autodiff<void>((void *)in_direction, enzyme_dup, x.data(), of_v.data(), enzyme_const, v.data());
  double one = 0, other = 0;
  for (int i = 0; i < most_numbers; ++i) {
    one += of_u[i] * v[i];
    other += of_v[i] * u[i];
  }
  const double expected = central_difference([&](double change) {
    Inputs moved = x;
    for (int i = 0; i < most_numbers; ++i)
      moved[i] += change * v[i];
    return in_direction(moved.data(), u.data());
  });
  expect_near(one, expected, 10 * tolerance, "Hessian", file, line);
  expect_near(other, one, 1e-10, "symmetry of the Hessian", file, line);
}

} // namespace assay::suites

/// CHECK_OPTIONS(program, 3): of three options of two values each.
#define CHECK_OPTIONS(program, options, ...)                                                                           \
  assay::suites::check_options<program>(options, {{__VA_ARGS__}}, __FILE__, __LINE__)
