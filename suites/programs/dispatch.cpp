// Programs whose calls go through tables, virtual functions, lambdas, exceptions and recursion.
#include "support/vector_program.hpp"
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <variant>
#include <vector>
namespace {
#define NI __attribute__((noinline))
struct Base {
  virtual ~Base() = default;
  virtual double eval(double) const = 0;
};
struct Square : Base {
  double k;
  Square(double k) : k(k) {}
  double eval(double x) const override { return k * x * x; }
};
struct Sine : Base {
  double k;
  Sine(double k) : k(k) {}
  double eval(double x) const override { return k * std::sin(x); }
};
double virtuals(const double *x, int n) {
  std::unique_ptr<Base> f[2] = {std::make_unique<Square>(x[0]), std::make_unique<Sine>(x[1])};
  double r = x[2];
  for (int i = 0; i < 4; ++i)
    r = f[i % 2]->eval(r) + x[0];
  return r;
}
double sq(double x) {
  return x * x;
}
double co(double x) {
  return std::cos(x);
}
double ex(double x) {
  return std::exp(-x);
}
double function_table(const double *x, int n) {
  double (*t[3])(double) = {sq, co, ex};
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += t[i % 3](x[i]);
  return r;
}
double erased(const double *x, int n) {
  std::function<double(double)> f = [=](double y) { return y * x[0]; };
  if (n > 2)
    f = [=](double y) { return y * y * x[1]; };
  return f(f(x[2]));
}
double exceptions(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    try {
      if (x[i] < 0)
        throw std::runtime_error("negative");
      r += std::sqrt(x[i]) * x[0];
    } catch (const std::exception &) {
      r += x[i] * x[i];
    }
  }
  return r;
}
double throwing_vector(const double *x, int n) {
  std::vector<double> v(x, x + n);
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += v.at(i) * v.at(n - 1 - i);
  return r;
}
double variants(const double *x, int n) {
  std::variant<int, double> v;
  double r = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 2)
      v = i;
    else
      v = x[i] * x[i];
    if (auto *d = std::get_if<double>(&v))
      r += *d * r + 1;
    else
      r += std::get<int>(v) * x[i];
  }
  return r;
}
NI void swap_rows(double *a, double *b, int n) {
  for (int i = 0; i < n; ++i)
    std::swap(a[i], b[i]);
}
NI int find_pivot(const double (*a)[3], int k) {
  int p = k;
  for (int i = k + 1; i < 3; ++i)
    if (std::fabs(a[i][k]) > std::fabs(a[p][k]))
      p = i;
  return p;
}
NI void solve(double a[3][3], double *b) {
  for (int k = 0; k < 3; ++k) {
    int p = find_pivot(a, k);
    if (p != k) {
      swap_rows(a[p], a[k], 3);
      std::swap(b[p], b[k]);
    }
    for (int i = k + 1; i < 3; ++i) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < 3; ++j)
        a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int i = 2; i >= 0; --i) {
    for (int j = i + 1; j < 3; ++j)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}
double linear_solve(const double *x, int n) {
  double a[3][3] = {{x[0], x[1], 1}, {x[2], 3, x[0]}, {x[1], x[2] * x[2], 2}}, b[3] = {x[2], 1, x[0]};
  solve(a, b);
  return b[0] * b[1] + b[2];
}
NI double deep(double x, int n) {
  if (n == 0)
    return x;
  double a = std::sin(x);
  double b = deep(a * x, n - 1);
  return b * a + x;
}
double deep_recursion(const double *x, int n) {
  return deep(x[0], 30) * x[1];
}
NI double hanoi(int n, double *a, double *b, double *c) {
  if (n == 0)
    return 0;
  double r = hanoi(n - 1, a, c, b);
  *b += *a * 0.3;
  *a *= 0.9;
  r += *b * *c;
  return r + hanoi(n - 1, c, b, a);
}
double hanoi_like(const double *x, int n) {
  double a = x[0], b = x[1], c = x[2];
  return hanoi(4, &a, &b, &c) + a * b * c;
}
NI bool converged(double a, double b) {
  return std::fabs(a - b) < 1e-12;
}
double fixed_point(const double *x, int n) {
  double y = x[0];
  for (int i = 0; i < 200; ++i) {
    double z = std::cos(y * x[1]) * 0.5;
    if (converged(y, z))
      break;
    y = z;
  }
  return y;
}
NI const double *max_of(const double *a, int n) {
  const double *m = a;
  for (int i = 1; i < n; ++i)
    if (a[i] > *m)
      m = a + i;
  return m;
}
double argmax(const double *x, int n) {
  return *max_of(x, n) * *max_of(x, n - 1);
}
NI double by_ref(const double &a, double &b) {
  b += a;
  return a * b;
}
double refs(const double *x, int n) {
  double acc = 1;
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += by_ref(x[i], acc);
  return r * acc;
}
NI double compose(double (*f)(double), double x) {
  return f(f(x));
}
double passed(const double *x, int n) {
  return compose(sq, x[0]) + compose(co, x[1]);
}
NI double fold(const double *b, const double *e, double acc) {
  return b == e ? acc : fold(b + 1, e, acc * *b + std::sin(acc));
}
double tail_recursion(const double *x, int n) {
  return fold(x, x + n, 1.0);
}
struct Vec {
  double x, y, z;
  Vec operator+(Vec o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec operator*(double s) const { return {x * s, y * s, z * s}; }
  double dot(Vec o) const { return x * o.x + y * o.y + z * o.z; }
};
NI Vec reflect(Vec v, Vec n) {
  return v + n * (-2 * v.dot(n));
}
double raytrace(const double *x, int n) {
  Vec d{x[0], x[1], 1}, p{0, 0, 0};
  double e = 1;
  for (int b = 0; b < 3; ++b) {
    Vec c{0.3 * b, x[2], 4};
    double tb = d.dot(c) / d.dot(d);
    p = p + d * tb;
    Vec nn = p + c * (-1);
    nn = nn * (1 / std::sqrt(nn.dot(nn) + 0.1));
    d = reflect(d, nn);
    e *= 0.8 + 0.1 * d.z;
  }
  return e + p.x * p.y;
}
NI void split(const double *in, int n, double *low, double *high, int *nl, int *nh) {
  *nl = *nh = 0;
  for (int i = 0; i < n; ++i)
    if (in[i] < 0.5)
      low[(*nl)++] = in[i] * in[i];
    else
      high[(*nh)++] = std::exp(in[i]);
}
double partition(const double *x, int n) {
  double lo[8], hi[8];
  int nl, nh;
  split(x, n, lo, hi, &nl, &nh);
  double r = 1;
  for (int i = 0; i < nl; ++i)
    r += lo[i] * r;
  for (int i = 0; i < nh; ++i)
    r *= hi[i];
  return r;
}
double static_local(const double *x, int n) {
  static const std::vector<double> w{0.5, 1.5, 2.5};
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += w[i % 3] * x[i] * x[i];
  return r;
}
double ranges(const double *x, int n) {
  std::vector<int> idx(n);
  std::iota(idx.begin(), idx.end(), 0);
  std::sort(idx.begin(), idx.end(), [&](int a, int b) { return x[a] < x[b]; });
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += x[idx[i]] * x[i] * (i + 1);
  return r;
}
double nested_lambda(const double *x, int n) {
  auto f = [&](auto self, int k, double y) -> double { return k == 0 ? y : self(self, k - 1, y * x[k % n] + 0.1); };
  return f(f, 6, x[0]);
}
double initializer(const double *x, int n) {
  double r = 0;
  for (double v : {x[0], x[1] * x[0], 3.0})
    r += v * v;
  return r;
}
double int_flow(const double *x, int n) {
  int c = 0;
  for (int i = 0; i < n; ++i)
    c += x[i] > 0.5;
  return c * x[0] * x[0] + (double)(long)(x[1] * 10) * x[1];
}
} // namespace
PLUGIN_TEST(Dispatch, VirtualFunctions) {
  CHECK_FUNCTION(virtuals, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, TableOfFunctions) {
  CHECK_FUNCTION(function_table, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, ErasedCallables) {
  CHECK_FUNCTION(erased, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, ExceptionsThrownAndCaught) {
  CHECK_FUNCTION(exceptions, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, CheckedAccess) {
  CHECK_FUNCTION(throwing_vector, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, Variants) {
  CHECK_FUNCTION(variants, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, LinearSolveByCallees) {
  CHECK_FUNCTION(linear_solve, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, DeepRecursion) {
  CHECK_FUNCTION(deep_recursion, 0.3, 1.2);
}
PLUGIN_TEST(Dispatch, RecursionThatPermutesPointers) {
  CHECK_FUNCTION(hanoi_like, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, FixedPointIteration) {
  assay::suites::check_function<fixed_point>(std::array{0.3, 1.2}, __FILE__, __LINE__, 1e-7);
}
PLUGIN_TEST(Dispatch, PointerToTheLargest) {
  CHECK_FUNCTION(argmax, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, AccumulationByReference) {
  CHECK_FUNCTION(refs, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, FunctionsAsArguments) {
  CHECK_FUNCTION(passed, 0.3, 1.2);
}
PLUGIN_TEST(Dispatch, TailRecursion) {
  CHECK_FUNCTION(tail_recursion, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, ReflectedRays) {
  CHECK_FUNCTION(raytrace, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, SeveralOutputsOfACallee) {
  CHECK_FUNCTION(partition, 0.3, 1.2, -0.4, 0.7);
}
PLUGIN_TEST(Dispatch, StaticLocalTable) {
  CHECK_FUNCTION(static_local, 0.3, 1.2, -0.4, 0.7);
}
PLUGIN_TEST(Dispatch, SortedIndices) {
  CHECK_FUNCTION(ranges, 0.3, 1.2, -0.4, 0.7);
}
PLUGIN_TEST(Dispatch, RecursiveLambda) {
  CHECK_FUNCTION(nested_lambda, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Dispatch, InitializerList) {
  CHECK_FUNCTION(initializer, 0.3, 1.2);
}
PLUGIN_TEST(Dispatch, CountsFromComparisons) {
  CHECK_FUNCTION(int_flow, 0.3, 1.23);
}
