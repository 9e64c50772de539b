// Memory that the program aligns itself, with the original address in the word before it.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using namespace assay::suites;

void *take(std::size_t size, std::size_t alignment = 64) {
  void *original = std::malloc(size + alignment);
  if (original == nullptr)
    return nullptr;
  void *aligned = reinterpret_cast<void *>((reinterpret_cast<std::size_t>(original) & ~(alignment - 1)) + alignment);
  *(static_cast<void **>(aligned) - 1) = original;
  return aligned;
}

void give(void *memory) {
  if (memory != nullptr)
    std::free(*(static_cast<void **>(memory) - 1));
}

double *numbers(int count) {
  return static_cast<double *>(take(count * sizeof(double)));
}

double steps(const double *x, int n) {
  double *now = numbers(n), *next = numbers(n);
  for (int i = 0; i < n; ++i)
    now[i] = x[i];
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < n; ++i)
      next[i] = now[i] * now[(i + 1) % n] * 0.5 + 0.3 * now[i];
    std::swap(now, next);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += now[i] * now[i];
  give(now);
  give(next);
  return sum;
}

/// Some are never taken, some are given back in the loop, and all have other sizes.
double temporaries(const double *x, int n) {
  double sum = 0;
  for (int round = 0; round < 6; ++round) {
    double *some = round % 3 == 1 ? nullptr : static_cast<double *>(take((round + 2) * sizeof(double), 32));
    for (int i = 0; some != nullptr && i < round + 2; ++i)
      some[i] = x[(round + i) % n] * x[i % n] + sum * 0.01;
    for (int i = 1; some != nullptr && i < round + 2; ++i)
      sum += some[i] * some[i - 1];
    give(some);
  }
  return sum;
}

struct Grid {
  int count;
  double *cells;
  float *weights;
};

/// An object that owns numbers of both kinds, and passes them on.
double grids(const double *x, int n) {
  Grid first{n, numbers(n), static_cast<float *>(take(n * sizeof(float)))};
  for (int i = 0; i < n; ++i) {
    first.cells[i] = x[i] * x[i];
    first.weights[i] = static_cast<float>(0.5 + i);
  }
  Grid *second = static_cast<Grid *>(take(sizeof(Grid)));
  *second = first;
  second->cells = numbers(n);
  for (int i = 0; i < n; ++i)
    second->cells[i] = first.cells[i] * second->weights[n - 1 - i] * x[0];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += second->cells[i] * first.cells[(i + 1) % n];
  give(first.cells);
  give(first.weights);
  give(second->cells);
  give(second);
  return sum;
}

/// The caller's memory is given back, and what takes its place is for the caller to give back.
double replaced(double **memory, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (*memory)[i] * x[i];
  give(*memory);
  *memory = numbers(n);
  for (int i = 0; i < n; ++i)
    (*memory)[i] = x[i] * x[i] * sum;
  return sum * sum + (*memory)[1];
}

} // namespace

PLUGIN_TEST(AlignedByHand, HoldsStepsOfALoop) {
  CHECK_FUNCTION(steps, 0.9, 1.1, -0.7);
}
PLUGIN_TEST(AlignedByHand, ComesAndGoes) {
  CHECK_FUNCTION(temporaries, 0.9, 1.1, -0.7);
}
PLUGIN_TEST(AlignedByHand, BelongsToObjects) {
  check_function<grids>(Numbers<3>{0.9, 1.1, -0.7}, __FILE__, __LINE__, 1e-6);
}

PLUGIN_TEST(AlignedByHand, PassesToAndFromTheCaller) {
  constexpr int n = 3;
  const Numbers<n> x{0.9, 1.1, -0.7}, start{0.3, -0.5, 0.8}, direction{1.0, 0.5, -2.0};
  const auto value = [&](double change) {
    Numbers<n> moved = x;
    for (int i = 0; i < n; ++i)
      moved[i] += change * direction[i];
    double *memory = numbers(n);
    std::copy(start.begin(), start.end(), memory);
    const double result = replaced(&memory, moved.data(), n);
    give(memory);
    return result;
  };
  const double expected = central_difference(value);
  double *memory = numbers(n), *shadow = numbers(n);
  std::copy(start.begin(), start.end(), memory);
  std::fill(shadow, shadow + n, 0.0);
  const double forward = __enzyme_fwddiff<double>((void *)replaced, enzyme_dup, &memory, &shadow, enzyme_dup, x.data(),
                                                  direction.data(), enzyme_const, n);
  expect_near(forward, expected, central_tolerance, "forward tangent", __FILE__, __LINE__);
  expect_near(memory[1], x[1] * x[1] * (0.3 * 0.9 - 0.5 * 1.1 - 0.8 * 0.7), 1e-12, "primal", __FILE__, __LINE__);
  give(memory);
  give(shadow);
}

PLUGIN_TEST(AlignedByHand, IsGivenBack) {
  std::vector<double> x(200, 0.9), shadow(200);
  expect_no_growth(
      [&] {
        __enzyme_autodiff<void>((void *)steps, enzyme_dup, x.data(), shadow.data(), enzyme_const, 200);
        __enzyme_autodiff<void>((void *)temporaries, enzyme_dup, x.data(), shadow.data(), enzyme_const, 200);
        __enzyme_autodiff<void>((void *)grids, enzyme_dup, x.data(), shadow.data(), enzyme_const, 200);
      },
      __FILE__, __LINE__);
}
