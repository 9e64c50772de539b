// Calls: nested, recursive, in loops with overwritten memory, with results through pointers, returning pointers.
#include "support/vector_program.hpp"
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

namespace {

NOINLINE double cube(double x) {
  return x * x * x;
}
NOINLINE double shifted(double x, double y) {
  return cube(x) + std::sin(y) * x;
}
NOINLINE double composed(double x) {
  return shifted(cube(x), x) * shifted(x, 0.5);
}

double nested_calls(const double *x, int n) {
  return composed(x[0]) + cube(composed(0.3 * x[1]));
}

double calls_in_a_loop(const double *x, int n) {
  double r = 0.2;
  for (int i = 0; i < n; ++i)
    r = shifted(0.5 * r, x[i]) + x[i];
  return r;
}

NOINLINE void smooth(double *x, int n) {
  for (int i = 1; i + 1 < n; ++i)
    x[i] = x[i] * x[i + 1] + 0.3 * x[i - 1];
}

void overwritten_between_calls(double *x, int n) {
  for (int k = 0; k < 3; ++k) {
    smooth(x, n);
    x[0] *= x[1];
  }
}

NOINLINE double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}
NOINLINE void axpy(double *y, double a, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

void read_then_overwritten(double *x, int n) {
  for (int k = 0; k < 3; ++k) {
    const double s = dot(x, x, n);
    axpy(x, 0.1 * s, x, n);
    x[k % n] = std::sin(x[k % n]) * dot(x, x + 1, n - 1);
  }
}

NOINLINE void polar(double x, double y, double *radius, double *angle) {
  *radius = std::sqrt(x * x + y * y);
  *angle = std::atan2(y, x);
}

double results_through_pointers(const double *x, int n) {
  double radius, angle;
  polar(x[0], x[1], &radius, &angle);
  double again, unused;
  polar(radius * x[0], angle, &again, &unused);
  return radius * angle + again;
}

NOINLINE double *larger(double *a, double *b) {
  return *a > *b ? a : b;
}
NOINLINE const double *element(const double *x, int index) {
  return x + index;
}

void writes_through_a_returned_pointer(double *x, int n) {
  *larger(&x[0], &x[1]) *= x[2];
  *larger(&x[1], &x[2]) += x[0] * x[0];
}

double reads_through_a_returned_pointer(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += *element(x, i) * *element(x, n - 1 - i) * (i + 1);
  return r;
}

NOINLINE double *fresh_copy(const double *x, int n) {
  double *copy = static_cast<double *>(std::malloc(sizeof(double) * n));
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * x[i];
  return copy;
}

double allocated_by_a_callee(const double *x, int n) {
  double r = 1;
  for (int k = 0; k < 3; ++k) {
    double *copy = fresh_copy(x, n);
    copy[k % n] *= r;
    r = dot(copy, x, n);
    std::free(copy);
  }
  return r;
}

NOINLINE double power(double x, int n) {
  return n == 0 ? 1.0 : x * power(x, n - 1);
}
double simple_recursion(const double *x, int n) {
  return power(x[0], 5) * power(x[1], n);
}

NOINLINE double fibonacci_like(double x, int n) {
  return n < 2 ? x : fibonacci_like(x, n - 1) * 0.5 + fibonacci_like(std::sin(x), n - 2) * x;
}
double tree_recursion(const double *x, int n) {
  return fibonacci_like(x[0], 8) + x[1];
}

NOINLINE double odd_steps(double x, int n);
NOINLINE double even_steps(double x, int n) {
  return n == 0 ? x : odd_steps(x * x * 0.5, n - 1) + x;
}
NOINLINE double odd_steps(double x, int n) {
  return n == 0 ? 2 * x : even_steps(std::cos(x), n - 1) * x;
}
double mutual_recursion(const double *x, int n) {
  return even_steps(x[0], 6) * odd_steps(x[1], 5);
}

NOINLINE void quicksort(double *x, int low, int high) {
  if (low >= high)
    return;
  const double pivot = x[high];
  int i = low;
  for (int j = low; j < high; ++j)
    if (x[j] < pivot) {
      const double t = x[i];
      x[i++] = x[j];
      x[j] = t;
    }
  x[high] = x[i];
  x[i] = pivot;
  quicksort(x, low, i - 1);
  quicksort(x, i + 1, high);
}
void recursive_sort(double *x, int n) {
  quicksort(x, 0, n - 1);
  for (int i = 0; i < n; ++i)
    x[i] *= x[i] * (i + 1);
}

NOINLINE double recursive_sum(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  return recursive_sum(x, n / 2) * recursive_sum(x + n / 2, n - n / 2) + x[0];
}
double divide_and_conquer(const double *x, int n) {
  return recursive_sum(x, n);
}

NOINLINE void recursion_in_memory(double *x, int n, int depth) {
  if (depth == 0)
    return;
  x[depth % n] *= x[(depth + 1) % n];
  recursion_in_memory(x, n, depth - 1);
  x[0] += std::sin(x[depth % n]);
}
void overwritten_on_the_way_down_and_up(double *x, int n) {
  recursion_in_memory(x, n, 5);
}

NOINLINE double ackermann_like(int m, int n, double x) {
  if (m == 0)
    return x + n * 0.01 * x * x;
  if (n == 0)
    return ackermann_like(m - 1, 1, x);
  return 0.9 * ackermann_like(m - 1, 2, ackermann_like(m, n - 1, x) * 0.5);
}
double nested_recursion(const double *x, int n) {
  return ackermann_like(2, 2, x[0]);
}

struct Accumulator {
  double total;
  int calls;
};
NOINLINE void add(Accumulator *a, double value) {
  a->total += value * a->total;
  ++a->calls;
}
double state_behind_a_pointer(const double *x, int n) {
  Accumulator a{1, 0};
  for (int i = 0; i < n; ++i)
    if (i % 2 == a.calls % 2)
      add(&a, x[i]);
    else
      add(&a, x[i] * x[i]);
  return a.total * a.calls;
}

struct Pair {
  double a, b;
};
struct Large {
  double v[5];
  int n;
};
NOINLINE Pair rotate(Pair p, double angle) {
  return {p.a * std::cos(angle) - p.b * std::sin(angle), p.a * std::sin(angle) + p.b * std::cos(angle)};
}
NOINLINE Large spread(double x, Large previous) {
  Large result = previous;
  for (int i = 0; i < 5; ++i)
    result.v[i] = previous.v[(i + 1) % 5] * x + i;
  result.n++;
  return result;
}
double structures_by_value(const double *x, int n) {
  Pair p{x[0], x[1]};
  for (int i = 0; i < n; ++i)
    p = rotate(p, x[i]);
  Large l{{x[0], 1, x[1], 2, 3}, 0};
  l = spread(x[1], l);
  l = spread(p.a, l);
  return p.a * p.b + l.v[2] * l.v[4] + l.n * x[0];
}

NOINLINE double constant_inside(const double *x, const int *index, int n) {
  static const double weights[3] = {0.5, 1.5, 2.5};
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += weights[index[i]] * x[i] * x[i];
  return r;
}
double tables(const double *x, int n) {
  int index[8];
  for (int i = 0; i < n; ++i)
    index[i] = i % 3;
  return constant_inside(x, index, n) * x[0];
}

double global_scale = 2.0;
double reads_a_global(const double *x, int n) {
  return x[0] * x[1] * global_scale;
}

NOINLINE float in_single(float x) {
  return x * x;
}
double through_single_precision(const double *x, int n) {
  return double(in_single(float(x[0]))) * x[1];
}

NOINLINE double many_arguments(double a, float b, int c, double d, long e, float f, const double *g, double h, double i,
                               double j) {
  return a * b + c * d * d + e * f + *g * h + i * j * a;
}

} // namespace

PLUGIN_TEST(Functions, NestedCallsFollowTheChainRule) {
  CHECK_FUNCTION(nested_calls, 0.6, -1.1);
}
PLUGIN_TEST(Functions, CallsInALoopKeepTheirArguments) {
  CHECK_FUNCTION(calls_in_a_loop, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, CalleesMayOverwriteMemoryInALoop) {
  CHECK_MAP(overwritten_between_calls, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, WhatACalleeReadMayBeOverwrittenLater) {
  CHECK_MAP(read_then_overwritten, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, ResultsMayComeThroughPointers) {
  CHECK_FUNCTION(results_through_pointers, 0.6, 1.1);
}
PLUGIN_TEST(Functions, AReturnedPointerMayBeWrittenThrough) {
  CHECK_MAP(writes_through_a_returned_pointer, 0.6, -1.1, 0.8);
  CHECK_MAP(writes_through_a_returned_pointer, -0.6, 1.1, 1.8);
}
PLUGIN_TEST(Functions, AReturnedPointerMayBeReadThrough) {
  CHECK_FUNCTION(reads_through_a_returned_pointer, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, ACalleeMayAllocateWhatTheCallerFrees) {
  CHECK_FUNCTION(allocated_by_a_callee, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, RecursionEnds) {
  CHECK_FUNCTION(simple_recursion, 0.6, -1.1, 0.8);
}
PLUGIN_TEST(Functions, ATreeOfCallsIsReversed) {
  CHECK_FUNCTION(tree_recursion, 0.6, -1.1);
}
PLUGIN_TEST(Functions, TwoFunctionsMayCallEachOther) {
  CHECK_FUNCTION(mutual_recursion, 0.6, -1.1);
}
PLUGIN_TEST(Functions, RecursionMaySortInPlace) {
  CHECK_MAP(recursive_sort, 0.6, -1.1, 0.8, 0.4, 1.9, -0.3);
}
PLUGIN_TEST(Functions, RecursionMayDivideAnArray) {
  CHECK_FUNCTION(divide_and_conquer, 0.6, -1.1, 0.8, 0.4, 1.9);
}
PLUGIN_TEST(Functions, RecursionMayOverwriteOnTheWayDownAndUp) {
  CHECK_MAP(overwritten_on_the_way_down_and_up, 0.6, -1.1, 0.8);
}
PLUGIN_TEST(Functions, ACallMayBeTheArgumentOfItself) {
  CHECK_FUNCTION(nested_recursion, 0.6);
}
PLUGIN_TEST(Functions, StateMayLiveBehindAPointer) {
  CHECK_FUNCTION(state_behind_a_pointer, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, StructuresMayBePassedAndReturnedByValue) {
  CHECK_FUNCTION(structures_by_value, 0.6, -1.1);
}
PLUGIN_TEST(Functions, ConstantTablesHaveNoDerivative) {
  CHECK_FUNCTION(tables, 0.6, -1.1, 0.8, 0.4);
}
PLUGIN_TEST(Functions, AGlobalIsReadAsItIs) {
  CHECK_FUNCTION(reads_a_global, 0.6, -1.1);
}
PLUGIN_TEST(Functions, PrecisionMayNarrowInACallee) {
  double x[2] = {0.5, 3}, dx[2] = {0, 0}, t[2] = {1, 0};
  __enzyme_autodiff<void>((void *)through_single_precision, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT_CLOSE(dx[0], 3);
  EXPECT_CLOSE(dx[1], 0.25);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)through_single_precision, enzyme_dup, x, t, enzyme_const, 2), 3);
}
PLUGIN_TEST(Functions, ManyArgumentsOfManyTypesArePassed) {
  double g = 3, dg = 0.5;
  const double tangent =
      __enzyme_fwddiff<double>((void *)many_arguments, enzyme_dup, 2.0, 1.0, enzyme_dup, 3.0f, 1.0f, enzyme_const, 4,
                               enzyme_dup, 5.0, 1.0, enzyme_const, 6L, enzyme_dup, 7.0f, 1.0f, enzyme_dup, &g, &dg,
                               enzyme_dup, 8.0, 1.0, enzyme_dup, 9.0, 1.0, enzyme_dup, 10.0, 1.0);
  EXPECT_CLOSE(tangent, (3 + 90) + 2 + 4 * 10 + 6 + 0.5 * 8 + 3 + 10 * 2 + 9 * 2);
}
