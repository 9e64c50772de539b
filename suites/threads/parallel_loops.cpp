// Loops whose iterations are shared by threads: schedules, counters, reductions and the variables of their own.
#include "support/vector_program.hpp"
#include <limits>
#include <vector>

namespace {

double sum(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += std::sin(x[i]) * x[(i + 1) % n];
  return s;
}

/// Static schedules with and without chunks, and those that hand out chunks as threads ask.
double schedules(const double *x, int n) {
  std::vector<double> y(n), z(n);
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 1; i < n; ++i)
    z[i] = y[i] * y[i - 1];
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; ++i)
    y[i] += std::exp(0.1 * x[i]);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; ++i)
    z[i] += y[i] * x[0];
  double s = 0;
  for (double value : z)
    s += value * value;
  return s;
}

/// 64 bits, no sign, downwards, by steps.
double counters(const double *x, int n) {
  double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s)
  for (long long i = n - 1; i >= 0; i -= 2)
    s += x[i] * x[i] * x[i];
#pragma omp parallel for reduction(+ : t) schedule(dynamic)
  for (unsigned i = 0; i < unsigned(n); ++i)
    t += x[i] * double(i);
#pragma omp parallel for reduction(+ : t) schedule(static, 3)
  for (std::size_t i = 1; i < std::size_t(n); i += 3)
    t -= std::cos(x[i]);
  return s * t;
}

double collapsed(const double *x, int n) {
  std::vector<double> product(n * n);
#pragma omp parallel for collapse(2) schedule(guided)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      product[i * n + j] = x[i] * x[j] + x[(i + j) % n];
  double s = 0;
  for (double value : product)
    s += value * value;
  return s;
}

/// A loop over an iterator, with a body that branches.
double iterators(const double *x, int n) {
  std::vector<double> y(x, x + n);
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (auto place = y.begin(); place < y.end(); ++place) {
    if (*place < 0)
      continue;
    s += std::sqrt(*place);
  }
  return s;
}

double own_variables(const double *x, int n) {
  double last = 0, factor = x[1];
#pragma omp parallel for lastprivate(last) firstprivate(factor)
  for (int i = 0; i < n; ++i)
    last = x[i] * factor;
  return last * factor;
}

double extrema_and_product(const double *x, int n) {
  double low = std::numeric_limits<double>::max(), high = -low, product = 1;
#pragma omp parallel for reduction(min : low) reduction(max : high) reduction(* : product)
  for (int i = 0; i < n; ++i) {
    low = std::fmin(low, x[i]);
    high = std::fmax(high, x[i]);
    product *= 0.9 + 0.1 * x[i];
  }
  return high * high - low + product;
}

struct Moments {
  double first = 0, second = 0;
};
#pragma omp declare reduction(join:Moments : omp_out.first += omp_in.first, omp_out.second += omp_in.second)           \
    initializer(omp_priv = Moments())

double reduction_of_its_own(const double *x, int n) {
  Moments moments;
#pragma omp parallel for reduction(join : moments)
  for (int i = 0; i < n; ++i) {
    moments.first += x[i];
    moments.second += x[i] * x[i];
  }
  return moments.first * moments.second;
}

double reduction_of_an_array(const double *x, int n) {
  double bins[4] = {};
#pragma omp parallel for reduction(+ : bins[ : 4])
  for (int i = 0; i < n; ++i)
    bins[i % 4] += x[i] * x[i];
  return bins[0] * bins[1] + bins[2] * bins[3];
}

/// Iterations of a stencil, each with a barrier at its end.
double heat(const double *x, int n) {
  std::vector<double> now(x, x + n), next(now);
#pragma omp parallel
  for (int step = 0; step < 4; ++step) {
#pragma omp for
    for (int i = 1; i < n - 1; ++i)
      next[i] = now[i] + 0.2 * (now[i - 1] - 2 * now[i] + now[i + 1]) - 0.01 * now[i] * now[i];
#pragma omp single
    now.swap(next);
  }
  double s = 0;
  for (double value : now)
    s += value * value;
  return s;
}

double where_it_is_worth_it(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) if (n > 3)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
#pragma omp parallel for simd reduction(+ : s) if (n > 100)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}

/// A map of numbers in place.
void scaled(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    x[i] = std::tanh(x[i]) * (i + 1);
}

} // namespace

PLUGIN_TEST(ParallelLoops, AddUp) {
  CHECK_FUNCTION(sum, 0.3, 0.9, -1.4, 0.7, 0.2);
  CHECK_FUNCTION(sum, 0.3);
}
PLUGIN_TEST(ParallelLoops, HaveSchedules) {
  CHECK_FUNCTION(schedules, 0.3, 0.9, -1.4, 0.7, 0.2, 1.1, -0.6);
}
PLUGIN_TEST(ParallelLoops, CountInDifferentWays) {
  CHECK_FUNCTION(counters, 0.3, 0.9, -1.4, 0.7, 0.2, 1.1, -0.6);
}
PLUGIN_TEST(ParallelLoops, AreCollapsed) {
  CHECK_FUNCTION(collapsed, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelLoops, FollowIterators) {
  CHECK_FUNCTION(iterators, 0.3, -0.9, 1.4, 0.7);
}
PLUGIN_TEST(ParallelLoops, HaveVariablesOfTheirOwn) {
  CHECK_FUNCTION(own_variables, 0.3, 0.9, -1.4);
}
PLUGIN_TEST(ParallelLoops, FindExtremaAndProducts) {
  CHECK_FUNCTION(extrema_and_product, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelLoops, JoinValuesOfTheProgram) {
  CHECK_FUNCTION(reduction_of_its_own, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelLoops, AddUpArrays) {
  CHECK_FUNCTION(reduction_of_an_array, 0.3, 0.9, -1.4, 0.7, 0.2, 1.1, -0.6);
}
PLUGIN_TEST(ParallelLoops, FollowEachOtherInARegion) {
  CHECK_FUNCTION(heat, 0.3, 0.9, -1.4, 0.7, 0.2, 1.1, -0.6);
}
PLUGIN_TEST(ParallelLoops, AreParallelUnderACondition) {
  CHECK_FUNCTION(where_it_is_worth_it, 0.3, 0.9, -1.4, 0.7);
  CHECK_FUNCTION(where_it_is_worth_it, 0.3, 0.9);
}
PLUGIN_TEST(ParallelLoops, ChangeArraysInPlace) {
  CHECK_MAP(scaled, 0.3, 0.9, -1.4, 0.7);
}
