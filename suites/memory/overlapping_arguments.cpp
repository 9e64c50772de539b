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

// --- the order of iterations -----------------------------------------------------------------------------------------

/// Nothing is carried from one iteration to the next, unless arguments overlap.
void elements(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    c[i] = c[i] * a[i] + 0.5 * b[i] * b[i];
}

/// A whole matrix is known before the loops, as twenty-four elements of unrolled ones.
void unrolled_product(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 12; ++k)
        sum += a[i * 12 + k] * b[k * 2 + j];
      c[i * 2 + j] = sum;
    }
}

void recurrence_in_memory(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    c[i + 1] = c[i] * a[i] + b[i];
}

void last_one_stays(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i) {
    c[i % 2] = a[i] * b[i];
    c[2] = a[i] * a[i];
  }
}

void last_value_is_used(double *a, double *b, double *c, int n) {
  double last = 0.5;
  for (int i = 0; i < n; ++i) {
    last = a[i] * b[i];
    c[i] = last * b[i];
  }
  c[0] += last;
}

/// The sum is only added to; the product is not.
void sum_and_product(double *a, double *b, double *c, int n) {
  double sum = 0, product = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      sum += a[i] * b[j] - a[j];
    product *= a[i];
    c[i] = sum;
  }
  c[1] += sum * product;
}

void partial_sums(double *a, double *b, double *c, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i] * b[i];
    c[i] = 0.1 * sum;
  }
  c[0] += sum;
}

void some_elements(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] > 0.1)
      c[i] = a[i] * b[i];
    else
      c[n - i] += b[i] * b[i];
}

// --- second derivatives ----------------------------------------------------------------------------------------------

void product_then_sums(double *a, double *b, double *c, int n) {
  product_by_sums(a, b, c, n);
  for (int step = 0; step < 2; ++step)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += c[j] * a[(i + j) % n] * a[i];
      c[i] = 0.3 * sum;
    }
}

void gradient(double *x, double *shadow, int a, int b, int c, int n) {
  __enzyme_autodiff<void>((void *)product_then_sums, enzyme_dup, x + a, shadow + a, enzyme_dup, x + b, shadow + b,
                          enzyme_dup, x + c, shadow + c, enzyme_const, n);
}

/// The derivative of the gradient along a direction, forward, against differences; and in reverse, transposed.
void check_second(Views views, const char *file, int line) {
  using namespace assay::suites;
  Numbers<16> x, along, by;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.7 * direction(i);
    along[i] = direction(i + 3);
    by[i] = weight(2 * i);
  }
  const auto shadow_at = [&](double change, std::size_t place) {
    Numbers<16> moved = x, shadow;
    for (std::size_t i = 0; i < x.size(); ++i) {
      moved[i] += change * along[i];
      shadow[i] = weight(i);
    }
    gradient(moved.data(), shadow.data(), views.a, views.b, views.c, 2);
    return shadow[place];
  };
  Numbers<16> output = x, output_tangent = along, shadow, shadow_tangent{};
  for (std::size_t i = 0; i < x.size(); ++i)
    shadow[i] = weight(i);
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, output.data(), output_tangent.data(), enzyme_dup, shadow.data(),
                         shadow_tangent.data(), enzyme_const, views.a, enzyme_const, views.b, enzyme_const, views.c,
                         enzyme_const, 2);
  Numbers<16> again = x, adjoint{}, shadow_adjoint = by;
  for (std::size_t i = 0; i < x.size(); ++i)
    shadow[i] = weight(i);
  __enzyme_autodiff<void>((void *)gradient, enzyme_dup, again.data(), adjoint.data(), enzyme_dup, shadow.data(),
                          shadow_adjoint.data(), enzyme_const, views.a, enzyme_const, views.b, enzyme_const, views.c,
                          enzyme_const, 2);
  double forward = 0, reverse = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = central_difference([&](double change) { return shadow_at(change, i); });
    expect_near_element(shadow_tangent[i], expected, 1e-7, "forward over reverse", i, file, line);
    forward += by[i] * shadow_tangent[i];
    reverse += along[i] * adjoint[i];
  }
  expect_near(reverse, forward, 1e-11, "reverse over reverse", file, line);
}

} // namespace

PLUGIN_TEST(OverlappingArguments, SecondDerivativesGoThroughWhatIsUndone) {
  for (const Views views : {Views{0, 4, 8}, {0, 0, 0}, {0, 1, 2}, {5, 3, 0}})
    check_second(views, __FILE__, __LINE__);
}
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
PLUGIN_TEST(OverlappingArguments, IterationsMayBeIndependent) {
  CHECK_VIEWS(elements, 4);
}
PLUGIN_TEST(OverlappingArguments, InnerLoopsMayBeUnrolled) {
  Numbers<76> x;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 0.9 * assay::suites::direction(i);
  for (const Views views : {Views{0, 36, 60}, {40, 6, 0}, {0, 24, 35}, {0, 30, 40}, {3, 1, 2}, {0, 0, 0}})
    check_views<unrolled_product>(x, views, 3, __FILE__, __LINE__);
}
PLUGIN_TEST(OverlappingArguments, IterationsMayFollowOnEachOther) {
  CHECK_VIEWS(recurrence_in_memory, 4);
  CHECK_VIEWS(last_one_stays, 4);
  CHECK_VIEWS(last_value_is_used, 4);
}
PLUGIN_TEST(OverlappingArguments, SumsAndProductsMayBeCarried) {
  CHECK_VIEWS(sum_and_product, 3);
  CHECK_VIEWS(partial_sums, 4);
}
PLUGIN_TEST(OverlappingArguments, StoresMayDependOnData) {
  CHECK_VIEWS(some_elements, 4);
}
PLUGIN_TEST(OverlappingArguments, LoopsMayBeEmpty) {
  for (const int n : {-3, 0, 1, 2, 3, 4})
    CHECK_VIEWS(empty_loops, n);
}
