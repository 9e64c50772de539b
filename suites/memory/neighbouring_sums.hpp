#pragma once
// Loops whose adjoints add to neighbouring places: they run in blocks, but not where memory overlaps or rows are short.
// Each file that includes this has functions of its own, for its vectors.

#include "support/vector_program.hpp"

namespace assay::suites {
namespace {

constexpr std::size_t size = 240;

struct Layout {
  int in, out, weights, count;
};
Layout layout; // set while the program runs

using Stencil = void(const double *in, const double *weights, double *out, int count);

void three_points(const double *in, const double *, double *out, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = 0.25 * (in[i] - 2 * in[i + 1] + in[i + 2]);
}

/// Products, so that what is added differs from place to place, and a weight that all have in common.
void products_of_neighbours(const double *in, const double *weights, double *out, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = 0.5 * in[i] * in[i + 3] - weights[0] * in[i + 1] + 0.1 * in[i + 1] * in[i + 1];
}

void downward(const double *in, const double *weights, double *out, int count) {
  for (int i = count - 1; i >= 0; --i)
    out[i] = 0.5 * weights[1] * in[i + 2] - 0.25 * in[i] * in[i + 1];
}

void convolution(const double *in, const double *weights, double *out, int count) {
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = 0; k < 7; ++k)
      sum += weights[k] * in[i + k];
    out[i] = sum > 0 ? 0.3 * sum : 0.1 * sum;
  }
}

/// Places a distance apart that is not known, and places that are subtracted from alone.
void two_rows(const double *in, const double *row, double *out, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = 0.2 * row[i] - 0.3 * in[i] - 0.3 * in[i + 1] - row[i + 2];
}

template <Stencil stencil>
void in_one_array(double *x, int) {
  const Layout l = layout;
  stencil(x + l.in, x + l.weights, x + l.out, l.count);
}

/// Memory of its own, of which is known that it lies apart.
template <Stencil stencil>
double sum_of_own(const double *x, int) {
  const Layout l = layout;
  double out[100];
  stencil(x + l.in, x + l.weights, out, l.count);
  double sum = 0;
  for (int i = 0; i < l.count; ++i)
    sum += out[i] * out[i] * (1 + 0.01 * i);
  return sum;
}

/// Each number is computed of those before it: nothing can be put off.
void recurrence(double *x, int) {
  const Layout l = layout;
  double *out = x + l.out;
  for (int i = 0; i < l.count; ++i)
    out[i + 2] = 0.5 * out[i + 2] + 0.3 * out[i] - 0.2 * out[i + 1];
}

/// Buffers in turns, rows of two dimensions with what is around them.
double diffusion(const double *x, int n) {
  constexpr int rows = 6, columns = 37;
  double first[rows * columns], second[rows * columns];
  for (int i = 0; i < rows * columns; ++i)
    first[i] = second[i] = x[i % n];
  double *from = first, *to = second;
  for (int step = 0; step < 5; ++step) {
    for (int i = 1; i < rows - 1; ++i)
      for (int j = 1; j < columns - 1; ++j) {
        const int k = i * columns + j;
        to[k] = from[k] + 0.1 * (1 + 0.1 * from[k]) *
                              (from[k - 1] + from[k + 1] + from[k - columns] + from[k + columns] - 4 * from[k]);
      }
    std::swap(from, to);
  }
  double sum = 0;
  for (int i = 0; i < rows * columns; ++i)
    sum += from[i] * from[i] * (1 + 0.01 * i);
  return sum;
}

float weighted_differences(const float *x, const float *weights, int n) {
  float y[200];
  for (int i = 0; i < n; ++i)
    y[i] = x[i] - 2 * x[i + 1] + x[i + 2];
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += weights[i] * y[i];
  return sum;
}

Numbers<size> point() {
  Numbers<size> x;
  for (std::size_t i = 0; i < size; ++i)
    x[i] = 0.2 + 0.9 * std::cos(1.3 * double(i + 1));
  return x;
}

/// The sum of all numbers after the map, with weights.
template <void (*program)(double *, int)>
double weighted_sum(Numbers<size> x) {
  program(x.data(), int(size));
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += weight(i) * x[i];
  return sum;
}

template <void (*program)(double *, int)>
void check_layout(const Layout &l, const char *file, int line) {
  layout = l;
  const Numbers<size> x = point();
  Numbers<size> output = x, shadow;
  for (std::size_t i = 0; i < size; ++i)
    shadow[i] = weight(i);
  __enzyme_autodiff<void>((void *)program, enzyme_dup, output.data(), shadow.data(), enzyme_const, int(size));
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = central_difference([&](double change) {
      Numbers<size> moved = x;
      moved[i] += change;
      return weighted_sum<program>(moved);
    });
    expect_near_element(shadow[i], expected, 1e-8, "J^T w", i, file, line);
  }
}

template <Stencil stencil>
void check(const char *file, int line) {
  for (const int count : {1, 3, 15, 16, 17, 63, 64, 65, 79, 80, 81, 96}) {
    check_layout<in_one_array<stencil>>({0, 134, 120, count}, file, line);
    check_layout<in_one_array<stencil>>({132, 0, 130, count}, file, line);
    check_function<sum_of_own<stencil>, size>(point(), file, line, 1e-8);
  }
  for (const Layout &overlapping :
       {Layout{0, 1, 110, 70}, {2, 0, 110, 70}, {0, 60, 60, 70}, {0, 100, 99, 70}, {50, 20, 150, 70}})
    check_layout<in_one_array<stencil>>(overlapping, file, line);
}

void check_floats(const char *file, int line) {
  for (const int count : {15, 16, 70, 81, 150}) {
    float x[202], weights[200], shadow[202];
    for (int i = 0; i < 202; ++i) {
      x[i] = float(i % 7) - 3;
      shadow[i] = 1;
    }
    for (int i = 0; i < 200; ++i)
      weights[i] = float(i % 5) - 1;
    __enzyme_autodiff<float>(reinterpret_cast<void *>(weighted_differences), enzyme_dup, x, shadow, enzyme_const,
                             weights, enzyme_const, count);
    const auto weight_at = [&](int i) { return i < 0 || i >= count ? 0.0 : double(weights[i]); };
    for (int i = 0; i < 202; ++i)
      expect_near_element(shadow[i], 1 + weight_at(i) - 2 * weight_at(i - 1) + weight_at(i - 2), 0, "gradient", i, file,
                          line);
  }
}

void check_buffers(const char *file, int line) {
  check_function<diffusion, size>(point(), file, line);
}

void check_recurrences(const char *file, int line) {
  for (const int count : {3, 16, 70, 90})
    check_layout<recurrence>({0, 20, 0, count}, file, line);
}

} // namespace
} // namespace assay::suites
