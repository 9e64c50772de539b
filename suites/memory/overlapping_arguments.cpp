// Arguments that may be one memory or not: nothing in the program says so, and the same derivative must serve both.
#include "support/vector_program.hpp"

namespace {

using assay::suites::Numbers;

/// Where three arguments begin in one array of numbers.
struct Views {
  int a, b, c;
};

using Program = void (*)(double *a, double *b, double *c, int n);

/// The gradient of a weighted sum of all numbers in the end, for arguments that overlap as `views` say.
template <Program program, std::size_t N>
void check_views(const Numbers<N> &x, Views views, int n, const char *file, int line) {
  using namespace assay::suites;
  Numbers<N> expected{}, primal = x, output = x, shadow;
  const auto run = [&](Numbers<N> &numbers) {
    hide(numbers);
    program(numbers.data() + views.a, numbers.data() + views.b, numbers.data() + views.c, n);
  };
  run(primal);
  for (std::size_t i = 0; i < N; ++i) {
    expected[i] = central_difference([&](double change) {
      Numbers<N> moved = x;
      moved[i] += change;
      run(moved);
      double sum = 0;
      for (std::size_t j = 0; j < N; ++j)
        sum += moved[j] * weight(j);
      return sum;
    });
    shadow[i] = weight(i);
  }
  hide(output);
  __enzyme_autodiff<void>((void *)program, enzyme_dup, output.data() + views.a, shadow.data() + views.a, enzyme_dup,
                          output.data() + views.b, shadow.data() + views.b, enzyme_dup, output.data() + views.c,
                          shadow.data() + views.c, enzyme_const, n);
  expect_true(std::memcmp(output.data(), primal.data(), sizeof primal) == 0, "primal is bit-identical", file, line);
  for (std::size_t i = 0; i < N; ++i)
    expect_near_element(shadow[i], expected[i], central_tolerance, "gradient", i, file, line);
}

/// Apart, the same, one element apart in both directions.
template <Program program>
void check_all_views(int n, const char *file, int line) {
  Numbers<16> x;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 0.9 * assay::suites::direction(i);
  for (const Views views : {Views{0, 4, 8},
                            {8, 4, 0},
                            {0, 0, 0},
                            {0, 4, 4},
                            {4, 0, 4},
                            {1, 2, 3},
                            {3, 2, 1},
                            {0, 3, 6},
                            {6, 3, 0},
                            {2, 5, 4}})
    check_views<program>(x, views, n, file, line);
}
#define CHECK_VIEWS(program, n) check_all_views<program>(n, __FILE__, __LINE__)

void product_by_sums(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void product_in_memory(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      c[i * n + j] = 0;
      for (int k = 0; k < n; ++k)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

/// The row of results is filled as a whole first.
void product_by_rows(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      c[i * n + j] = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

/// From behind, with a stride.
void backwards(double *a, double *b, double *c, int n) {
  for (long i = 2L * n - 1; i >= 0; i -= 2)
    c[i] = 0.5 * a[i] * b[i] + 0.25 * a[i / 2] * c[i];
}

/// Less memory in every step.
void triangle(double *a, double *b, double *c, int n) {
  for (int i = 0; i < 2 * n; ++i)
    for (int j = i; j < 2 * n; ++j)
      c[j] += 0.3 * a[i] * b[j - i];
}

/// The address of the left side does not change in the inner loop.
void sums_in_memory(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      c[j] += 0.2 * a[i] * b[j];
      b[j] *= 0.9;
    }
}

/// Counts below zero and loops that are never entered.
void empty_loops(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n - 1; ++i)
    for (int j = 0; j < n - 4 + i; ++j)
      c[j] += 0.3 * a[i] * b[j] * b[j];
  c[0] *= a[0];
}

} // namespace

PLUGIN_TEST(OverlappingArguments, AProductMayBeSummedInARegister) {
  CHECK_VIEWS(product_by_sums, 2);
}
PLUGIN_TEST(OverlappingArguments, AProductMayBeSummedInMemory) {
  CHECK_VIEWS(product_in_memory, 2);
}
PLUGIN_TEST(OverlappingArguments, AProductMayBeSummedRowByRow) {
  CHECK_VIEWS(product_by_rows, 2);
}
PLUGIN_TEST(OverlappingArguments, LoopsMayRunBackwards) {
  CHECK_VIEWS(backwards, 2);
}
PLUGIN_TEST(OverlappingArguments, BoundsMayDependOnOuterLoops) {
  CHECK_VIEWS(triangle, 3);
}
PLUGIN_TEST(OverlappingArguments, SumsMayBeKeptInMemory) {
  CHECK_VIEWS(sums_in_memory, 3);
}
PLUGIN_TEST(OverlappingArguments, LoopsMayBeEmpty) {
  for (const int n : {-3, 0, 1, 2, 3, 4})
    CHECK_VIEWS(empty_loops, n);
}
