// Tasks run where they are made.
#include "support/vector_program.hpp"
#include <vector>

namespace {

double recursive(const double *x, int depth, int n) {
  if (depth < 2)
    return x[depth] * x[depth + 1];
  double left, right;
#pragma omp task shared(left)
  left = recursive(x, depth - 1, n);
#pragma omp task shared(right)
  right = recursive(x, depth - 2, n);
#pragma omp taskwait
  return left * 0.5 + right * x[depth % n];
}

double of_recursion(const double *x, int n) {
  double result = 0;
#pragma omp parallel
#pragma omp single
  result = recursive(x, 6, n);
  return result;
}

double of_a_loop(const double *x, int n) {
  std::vector<double> y(n);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(0.1 * x[i]) * x[0];
  double s = 0;
  for (double value : y)
    s += value * value;
  return s;
}

double added_up(const double *x, int n) {
  double s = x[0], product = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : s)
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i] * i;
#pragma omp taskgroup task_reduction(* : product)
    for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(* : product) firstprivate(i)
      product *= 0.9 + 0.1 * x[i];
    }
  }
  return s + product;
}

/// In the order of what they need.
double with_dependences(const double *x, int n) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    for (int i = 0; i < n; ++i)
      a += x[i] * x[i];
#pragma omp task depend(out : b) shared(b)
    b = std::sin(x[0]);
#pragma omp task depend(in : a, b) depend(out : c) shared(a, b, c)
    c = a * b;
#pragma omp taskwait
  }
  return c;
}

/// With numbers of their own, in a group that is waited for.
double with_copies(const double *x, int n) {
  std::vector<double> y(n);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < n; ++i) {
    const double scale = x[i] * 2;
#pragma omp task firstprivate(scale, i) shared(y) if (i > 1)
    y[i] = scale * scale * x[0];
  }
  double s = 0;
  for (double value : y)
    s += value;
  return s;
}

} // namespace

PLUGIN_TEST(Tasks, OfRecursion) {
  CHECK_FUNCTION(of_recursion, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(Tasks, OfLoops) {
  CHECK_FUNCTION(of_a_loop, 0.3, 0.9, -1.4, 0.7, 1.3);
}
PLUGIN_TEST(Tasks, AddUp) {
  CHECK_FUNCTION(added_up, 0.3, 0.9, -1.4, 0.7, 1.3);
}
PLUGIN_TEST(Tasks, WithDependences) {
  CHECK_FUNCTION(with_dependences, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(Tasks, WithCopiesOfNumbers) {
  CHECK_FUNCTION(with_copies, 0.3, 0.9, -1.4, 0.7);
}
