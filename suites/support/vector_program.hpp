#pragma once
// Two forms of program that most shapes of code can be written in, each with one check of everything that must hold.
//
//   double f(const double *x, int n)   a number from n numbers
//   void   f(double *x, int n)         a map of n numbers in place: overwritten inputs are outputs
//
// Checked, in both modes: the primal is bit-identical; the gradient (Jacobian) equals sixth-order central differences;
// reverse mode adds into a shadow that is not zero (first form) or turns it into J^T w (second); forward gives J v.
// The inputs must lie farther than 3 * `step` from every kink.

#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <array>
#include <cmath>
#include <cstring>

namespace assay::suites {

inline constexpr double step = 1.0 / 1024;
inline constexpr double central_tolerance = 2e-9;

/// Weights and directions that no symmetry of a program can hide behind.
inline double weight(std::size_t index) {
  return 0.75 + 0.5 * std::sin(1.0 + 3.7 * double(index));
}
inline double direction(std::size_t index) {
  return 1.25 * std::cos(0.3 + 2.3 * double(index));
}

/// (f(x-3h), f(x-2h), f(x-h), f(x+h), f(x+2h), f(x+3h)) -> f'(x), exact for polynomials of degree 6.
template <class Evaluate>
double central_difference(Evaluate evaluate) {
  return (evaluate(3 * step) - evaluate(-3 * step) - 9 * (evaluate(2 * step) - evaluate(-2 * step)) +
          45 * (evaluate(step) - evaluate(-step))) /
         (60 * step);
}

template <std::size_t N>
using Numbers = std::array<double, N>;

/// The compiler must not compute results itself: it folds a * b + c with one rounding where the machine takes two.
template <class T>
void hide(T &value) {
  asm volatile("" : : "r"(&value) : "memory");
}

template <double (*program)(const double *, int), std::size_t N>
void check_function(const Numbers<N> &x, const char *file, int line, double tolerance = central_tolerance) {
  Numbers<N> expected, input = x, shadow, tangent;
  for (std::size_t i = 0; i < N; ++i) {
    expected[i] = central_difference([&](double change) {
      Numbers<N> moved = x;
      moved[i] += change;
      return program(moved.data(), int(N));
    });
    shadow[i] = 10.0 + double(i);
    tangent[i] = direction(i);
  }
  __enzyme_autodiff<void>((void *)program, enzyme_dup, input.data(), shadow.data(), enzyme_const, int(N));
  double forward_expected = 0;
  for (std::size_t i = 0; i < N; ++i) {
    expect_near_element(shadow[i] - (10.0 + double(i)), expected[i], tolerance, "reverse gradient", i, file, line);
    forward_expected += expected[i] * tangent[i];
  }
  expect_true(input == x, "reverse leaves the input alone", file, line);
  const double forward =
      __enzyme_fwddiff<double>((void *)program, enzyme_dup, input.data(), tangent.data(), enzyme_const, int(N));
  expect_near(forward, forward_expected, tolerance, "forward tangent", file, line);
  expect_true(input == x, "forward leaves the input alone", file, line);
}

template <void (*program)(double *, int), std::size_t N>
void check_map(const Numbers<N> &x, const char *file, int line, double tolerance = central_tolerance) {
  Numbers<N> primal = x, adjoint{}, product{};
  hide(primal);
  program(primal.data(), int(N));
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      const double entry = central_difference([&](double change) {
        Numbers<N> moved = x;
        moved[i] += change;
        program(moved.data(), int(N));
        return moved[j];
      });
      adjoint[i] += entry * weight(j);
      product[j] += entry * direction(i);
    }
  Numbers<N> output = x, shadow;
  for (std::size_t i = 0; i < N; ++i)
    shadow[i] = weight(i);
  hide(output);
  __enzyme_autodiff<void>((void *)program, enzyme_dup, output.data(), shadow.data(), enzyme_const, int(N));
  expect_true(std::memcmp(output.data(), primal.data(), sizeof primal) == 0, "reverse: primal is bit-identical", file,
              line);
  for (std::size_t i = 0; i < N; ++i)
    expect_near_element(shadow[i], adjoint[i], tolerance, "reverse J^T w", i, file, line);
  output = x;
  for (std::size_t i = 0; i < N; ++i)
    shadow[i] = direction(i);
  hide(output);
  __enzyme_fwddiff<void>((void *)program, enzyme_dup, output.data(), shadow.data(), enzyme_const, int(N));
  expect_true(std::memcmp(output.data(), primal.data(), sizeof primal) == 0, "forward: primal is bit-identical", file,
              line);
  for (std::size_t i = 0; i < N; ++i)
    expect_near_element(shadow[i], product[i], tolerance, "forward J v", i, file, line);
}

} // namespace assay::suites

/// CHECK_FUNCTION(program, 1.0, 2.0, ...): at that point.
#define CHECK_FUNCTION(program, ...) assay::suites::check_function<program>(std::array{__VA_ARGS__}, __FILE__, __LINE__)
#define CHECK_MAP(program, ...) assay::suites::check_map<program>(std::array{__VA_ARGS__}, __FILE__, __LINE__)
