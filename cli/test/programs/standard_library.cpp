// What C++ brings along: containers, algorithms, smart pointers, closures, references, exceptions, virtual functions.

#include <algorithm>
#include <array>
#include <assay/check.h>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
template <typename T>
class Matrix {
  std::vector<T> d;
  int r, c;

public:
  Matrix(int r, int c) : d(r * c), r(r), c(c) {}
  T &operator()(int i, int j) { return d[i * c + j]; }
  const T &operator()(int i, int j) const { return d[i * c + j]; }
  int rows() const { return r; }
  int cols() const { return c; }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    Matrix m(a.r, b.c);
    for (int i = 0; i < a.r; ++i)
      for (int j = 0; j < b.c; ++j) {
        T s = 0;
        for (int k = 0; k < a.c; ++k)
          s += a(i, k) * b(k, j);
        m(i, j) = s;
      }
    return m;
  }
};
double matrices(const double *x, int n) {
  Matrix<double> a(n, n), b(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a(i, j) = x[i * n + j];
      b(i, j) = x[j * n + i] * 2;
    }
  auto c = a * b * a;
  double t = 0;
  for (int i = 0; i < n; ++i)
    t += c(i, i);
  return t;
}
ASSAY_CHECK(matrices, "double[2x2]", "int=2");

double opt(double x) {
  std::optional<double> o;
  if (x > -100)
    o = x * x;
  return o.value_or(1) * x;
}
ASSAY_CHECK(opt);

double tup(double x, double y) {
  auto [a, b] = std::make_tuple(x * y, y);
  return a / b + a * b;
}
ASSAY_CHECK(tup, "double", "double:positive");

double algo(const double *x, int n) {
  std::vector<double> v(n);
  std::transform(x, x + n, v.begin(), [](double e) { return std::exp(e); });
  double z = std::accumulate(v.begin(), v.end(), 0.0);
  for (auto &e : v)
    e /= z;
  return std::inner_product(v.begin(), v.end(), x, 0.0) + *std::max_element(v.begin(), v.end());
}
ASSAY_CHECK(algo, "double[5]", "int=5");

double shared(double x) {
  auto p = std::make_shared<double>(x);
  auto q = p;
  *q *= x;
  return *p;
}
ASSAY_CHECK(shared);

double nested(const double *x, int n) {
  std::vector<std::vector<double>> v;
  for (int i = 0; i < n; ++i)
    v.emplace_back(i + 1, x[i]);
  double s = 1;
  for (auto &r : v)
    for (auto e : r)
      s *= e;
  return s;
}
ASSAY_CHECK(nested, "double[3]:positive", "int=3");

void ref(double &a, const double &b) {
  a = a * b + std::sin(b);
}
ASSAY_CHECK(ref, "double[1]", "double[1]");

double excep(double x) {
  try {
    if (x > 1e10)
      throw 3;
    return x * x;
  } catch (int) {
    return 0;
  }
}
ASSAY_CHECK(excep);

struct Functor {
  double k;
  double operator()(double x) const { return k * x * x; }
};
double functor(double x) {
  Functor f{x};
  return f(x + 1);
}
ASSAY_CHECK(functor);

double lambda_capture(double x, double y) {
  double acc = 0;
  auto f = [&acc, y](double e) { acc += e * y; };
  for (int i = 0; i < 3; ++i)
    f(x * i);
  return acc * acc;
}
ASSAY_CHECK(lambda_capture);

long double ld_inner(double x) {
  return static_cast<long double>(x) * x;
}
double ld(double x) {
  return static_cast<double>(ld_inner(x) * ld_inner(x));
}
ASSAY_CHECK(ld);

double str(double x) {
  std::string s = "abc";
  return x * static_cast<double>(s.size());
}
ASSAY_CHECK(str);

struct Base {
  virtual double f(double x) const = 0;
  virtual ~Base() {}
};
struct D1 : Base {
  double f(double x) const override { return x * x; }
};
double virt(double x) {
  D1 d;
  const Base &b = d;
  return b.f(x);
}
ASSAY_CHECK(virt);

double virt2(double x, int n) {
  std::unique_ptr<Base> b;
  if (n > 2)
    b = std::make_unique<D1>();
  return b->f(x);
}
ASSAY_CHECK(virt2, "double", "int=3");
