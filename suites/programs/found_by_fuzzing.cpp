// Shapes of code that `assay fuzz` found to be differentiated wrongly once. Each test names what was wrong.
#include "support/vector_program.hpp"
#include <array>
#include <cstring>

namespace {

// The adjoint of memory that nothing else touches was not set to zero.
void cleared(double *x, int) {
  std::memset(x, 0, sizeof(double));
}

void cleared_in_part(double *x, int n) {
  if (n > 2)
    std::memset(x + 1, 0, 2 * sizeof(double));
}

void filled(double *x, int n) {
  std::memset(x, 0xff, static_cast<std::size_t>(n) * 0 + 1);
  std::memset(x, 0, static_cast<std::size_t>(n) * sizeof(double));
}

// Of two floats that are cleared at once only one is read elsewhere.
double cleared_pair(const double *x, int n) {
  float pair[2] = {static_cast<float>(x[0]), static_cast<float>(x[1])};
  const double before = pair[0];
  std::memset(pair, 0, sizeof pair);
  return before * x[0] + pair[n & 1];
}

// Only the integer of a structure that is cleared, or copied, is read: what else it has was taken for integers too.
struct Mixed {
  long kind;
  double value[2];
};

void cleared_structure(double *x, int n) {
  auto *mixed = reinterpret_cast<Mixed *>(x);
  std::memset(mixed, 0, sizeof *mixed);
  x[3 + (mixed->kind & 1)] = n;
}

// The address of a global's element is a constant, not an instruction: the compiler crashed.
double state[3];

double element_of_global(const double *x, int n) {
  state[0] = x[0];
  state[1] = 0.5;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    state[1] = state[0] * x[i] + state[1] * 0.5;
    sum += state[1] * x[i];
  }
  return sum;
}

// Nothing in the function tells what is moved.
void moved(double *x, int n) {
  std::memmove(x + 1, x, static_cast<std::size_t>(n - 1) * sizeof(double));
}

// Two floats are moved as one word, and one of them alone afterwards: half of that word.
void moved_in_pairs(float *x, int n) {
  for (int i = 0; i < 2; ++i) {
    if (i < n)
      std::memmove(x + 1, x, 2 * sizeof(float));
    std::memmove(x + n % 3, x, sizeof(float));
  }
}

// An array in a struct, before a float: what is moved within the array is doubles, wherever that is.
struct Inputs {
  double numbers[4];
  float narrow;
  int whole;
};
__attribute__((noinline)) double moved_numbers(double *numbers, int n) {
  double *const place = numbers + n % 3;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += place[(i * 8) & 1] * place[1];
    std::memmove(numbers, place, 2 * sizeof(double));
  }
  return sum;
}
double of_inputs(Inputs &inputs) {
  return moved_numbers(inputs.numbers, inputs.whole) * double(inputs.narrow);
}

// Forward mode took the table's numbers for their tangents where its address and an active one are one pointer.
const double table[4] = {-0.125, -2, 0.25, 1.5};

double table_or_input(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double *place = (i & 1) ? table + 1 : x;
    const double *other = (i & n) ? table : x + 1;
    sum += place[i & 1] * x[0] + *other;
  }
  return sum;
}

PLUGIN_TEST(FoundByFuzzing, TablesHaveNoTangents) {
  CHECK_FUNCTION(table_or_input, 1.25, -0.5, 0.75);
}

PLUGIN_TEST(FoundByFuzzing, FloatsAreMovedInPairsAndAlone) {
  float x[3] = {1.25f, -0.5f, 2}, shadow[3] = {3, 5, 7};
  __enzyme_autodiff<void>((void *)moved_in_pairs, enzyme_dup, x, shadow, enzyme_const, 1);
  EXPECT_CLOSE(shadow[0], 8);
  EXPECT_CLOSE(shadow[1], 7);
  EXPECT_CLOSE(shadow[2], 0);
}

PLUGIN_TEST(FoundByFuzzing, WhatIsMovedInAnArrayIsWhatTheArrayHolds) {
  Inputs inputs = {{2, 3, 5, 7}, 0.5f, 4}, shadow = {};
  __enzyme_autodiff<void>((void *)of_inputs, enzyme_dup, (void *)&inputs,
                          (void *)&shadow); // (3 * 5 + 5 * 5 + 5 * 5 + 5 * 5) / 2
  EXPECT_CLOSE(shadow.numbers[0], 0);
  EXPECT_CLOSE(shadow.numbers[1], 2.5);
  EXPECT_CLOSE(shadow.numbers[2], 16.5);
  EXPECT_CLOSE(shadow.numbers[3], 0);
  EXPECT_CLOSE_FLOAT(shadow.narrow, 90);
}

PLUGIN_TEST(FoundByFuzzing, TakesGlobalsInLoops) {
  CHECK_FUNCTION(element_of_global, 1.25, -0.5, 0.75);
}

PLUGIN_TEST(FoundByFuzzing, TheCallerTellsWhatIsMovedAsBytes) {
  double x[3] = {1.25, -0.5, 2}, shadow[3] = {3, 5, 7};
  __enzyme_autodiff<void>((void *)moved, enzyme_dup, x, shadow, enzyme_const, 3);
  EXPECT_CLOSE(shadow[0], 8);
  EXPECT_CLOSE(shadow[1], 7);
  EXPECT_CLOSE(shadow[2], 0);
}

PLUGIN_TEST(FoundByFuzzing, ZerosInMemoryOfUnknownTypeEndAdjoints) {
  CHECK_MAP(cleared, 1.25, -0.5);
  CHECK_MAP(cleared_in_part, 1.25, -0.5, 2.0, 0.25);
  CHECK_MAP(filled, 1.25, -0.5, 2.0);
}

PLUGIN_TEST(FoundByFuzzing, ZerosEndAdjointsBesideWhatIsRead) {
  assay::suites::check_function<cleared_pair>(std::array{1.25, -0.5}, __FILE__, __LINE__, 1e-6);
}

PLUGIN_TEST(FoundByFuzzing, ZerosEndAdjointsBesideIntegers) {
  CHECK_MAP(cleared_structure, 1.25, -0.5, 2.0, 0.25, 0.75);
}

} // namespace
