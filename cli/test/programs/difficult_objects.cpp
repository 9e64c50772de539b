// Right functions with containers, objects and caches, and in awkward places of the plane: the check must call none of
// them wrong.
#include <assay/check.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <variant>
#include <vector>

// A complex logarithm beside its branch cut.
double clog_cut(double x, double y) {
  std::complex<double> z(x, y);
  return std::log(z).imag() + std::sqrt(z).real();
}
ASSAY_CHECK(clog_cut, "double", "double");

// All roots of a polynomial at once, two of them nearly the same.
double durand_kerner(double e) {
  using C = std::complex<double>;
  C p{0.4, 0.9}, r[3] = {1.0, p, p * p};
  for (int it = 0; it < 60; ++it) {
    double moved = 0;
    for (int i = 0; i < 3; ++i) {
      C z = r[i], f = ((z - 4.0) * z + 5.0) * z - (2.0 + 1e-3 * e), d = 1;
      for (int j = 0; j < 3; ++j)
        if (j != i)
          d *= z - r[j];
      r[i] -= f / d;
      moved = std::max(moved, std::abs(f / d));
    }
    if (moved < 1e-13)
      break;
  }
  return r[0].real() * r[1].real() + r[2].real();
}
ASSAY_CHECK(durand_kerner, "double:(0.5,1)");

// A vector that grows at both ends.
double growing(const double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i]);
    v.insert(v.begin(), x[i] * x[i]);
  }
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    s += v[i] * double(i);
  return s;
}
ASSAY_CHECK(growing, "double[n]", "int=0..12");

// Virtual functions of objects on the heap.
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Disc : Shape {
  double r;
  explicit Disc(double r) : r(r) {}
  double area() const override { return 3.14159 * r * r; }
};
struct Box : Shape {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
};
double shapes(double x, double y) {
  std::vector<std::unique_ptr<Shape>> all;
  for (int i = 0; i < 4; ++i)
    if (i % 2)
      all.push_back(std::make_unique<Disc>(x * i));
    else
      all.push_back(std::make_unique<Box>(x + i, y));
  double s = 0;
  for (auto &p : all)
    s += std::log1p(std::abs(p->area()));
  return s;
}
ASSAY_CHECK(shapes, "double:positive", "double:positive");

// Another type in each step.
double visited(double x, double y) {
  std::variant<double, std::array<double, 2>> v = x;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += std::visit(
        [](const auto &value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            return value * value;
          else
            return value[0] * value[1];
        },
        v);
    v = std::array<double, 2>{x + i, y};
  }
  return s;
}
ASSAY_CHECK(visited, "double", "double");

// A rule with a cache by value that grows.
static double cached_sqrt(double x) {
  static std::map<double, double> cache;
  auto [it, fresh] = cache.try_emplace(x, 0);
  if (fresh)
    it->second = std::sqrt(x);
  return it->second;
}
__attribute__((noinline)) static double root(double x) {
  return cached_sqrt(x);
}
struct augmented {
  void *tape;
  double primal;
};
static augmented root_augmented(double x) {
  return {nullptr, cached_sqrt(x)};
}
static double root_reverse(double x, double seed, void *) {
  return seed * 0.5 / cached_sqrt(x);
}
static double root_tangent(double x, double dx) {
  return dx * 0.5 / cached_sqrt(x);
}
extern "C" {
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)root_augmented, (void *)root_reverse};
void *__enzyme_register_derivative_root[] = {(void *)root, (void *)root_tangent};
}
double uses_cached_root(double x, double y) {
  return root(x * y) + root(x);
}
ASSAY_CHECK(uses_cached_root, "double:positive", "double:positive");

// Random numbers from a fixed seed.
double dropout(const double *x, int n) {
  std::mt19937 g(7);
  std::normal_distribution<double> d;
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (g() % 3)
      s += x[i] * x[i] * d(g);
  return s;
}
ASSAY_CHECK(dropout, "double[8]", "int=8");

// A random variable by rejection: its parameter decides how many are drawn.
double marsaglia(double alpha) {
  std::mt19937_64 g(11);
  std::normal_distribution<double> nd;
  std::uniform_real_distribution<double> ud;
  double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d), s = 0;
  for (int k = 0; k < 5; ++k)
    for (;;) {
      double x = nd(g), v = 1 + c * x;
      if (v <= 0)
        continue;
      v = v * v * v;
      if (std::log(ud(g)) < 0.5 * x * x + d - d * v + d * std::log(v)) {
        s += d * v;
        break;
      }
    }
  return s;
}
ASSAY_CHECK(marsaglia, "double:(1,4)");

// Structs of float, double and integers.
struct Particle {
  float mass;
  double position[3];
  int kind;
  float charge;
};
double particles(const double *x, int n) {
  std::vector<Particle> p(n);
  for (int i = 0; i < n; ++i)
    p[i] = {float(1 + x[i] * x[i]), {x[i], x[i] * 2, 1}, i % 2, float(x[i])};
  double e = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double r = 0.1;
      for (int k = 0; k < 3; ++k)
        r += (p[i].position[k] - p[j].position[k]) * (p[i].position[k] - p[j].position[k]);
      e += p[i].kind == p[j].kind ? p[i].mass * p[j].mass / std::sqrt(r) : p[i].charge * p[j].charge / r;
    }
  return e;
}
ASSAY_CHECK(particles, "double[4]", "int=4");

// Interpolation beside a node.
double barycentric(double x, const double *f, int n) {
  double num = 0, den = 0;
  for (int i = 0; i < n; ++i) {
    double node = std::cos(M_PI * i / (n - 1)), w = (i % 2 ? -1 : 1) * (i == 0 || i == n - 1 ? 0.5 : 1);
    if (x == node)
      return f[i];
    double t = w / (x - node);
    num += t * f[i];
    den += t;
  }
  return num / den;
}
ASSAY_CHECK(barycentric, "double=0.3;-0.99999999999;1e-9;0.5", "double[5]", "int=5");

// A matrix exponential by scaling and squaring.
double matrix_exponential(const double *a, int s) {
  double m[4], r[4] = {1, 0, 0, 1}, t[4] = {1, 0, 0, 1};
  for (int i = 0; i < 4; ++i)
    m[i] = a[i] * 20 / std::ldexp(1, s);
  auto multiply = [](const double *x, const double *y, double *z) {
    double w[4] = {x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                   x[2] * y[1] + x[3] * y[3]};
    std::memcpy(z, w, sizeof w);
  };
  for (int k = 1; k < 14; ++k) {
    multiply(t, m, t);
    for (int i = 0; i < 4; ++i) {
      t[i] /= k;
      r[i] += t[i];
    }
  }
  for (int k = 0; k < s; ++k)
    multiply(r, r, r);
  return std::log(std::abs(r[0]) + std::abs(r[3]));
}
ASSAY_CHECK(matrix_exponential, "double[4]", "int=8");

// Kepler's equation near a parabola.
double kepler(double e, double M) {
  e = 1 - 1e-6 * e;
  double E = M < 0.1 ? std::cbrt(6 * M) : M;
  for (int i = 0; i < 50; ++i) {
    double d = (E - e * std::sin(E) - M) / (1 - e * std::cos(E));
    E -= d;
    if (std::abs(d) < 1e-14)
      break;
  }
  return E;
}
ASSAY_CHECK(kepler, "double:(0.1,1)", "double:(0.001,1)");

// A short distance by the arc cosine of nearly 1.
double great_circle(double a, double b) {
  double p = 0.7, q = 0.7 + 1e-7 * a, l = 1e-7 * b;
  return std::acos(std::sin(p) * std::sin(q) + std::cos(p) * std::cos(q) * std::cos(l)) * 1e7;
}
ASSAY_CHECK(great_circle, "double:positive", "double:positive");

// The volume of a flat tetrahedron far from the origin.
double flat_volume(const double *z, int n) {
  double p[4][3] = {{0, 0, 1e-9 * z[0]}, {1, 0, 1e-9 * z[1]}, {0, 1, 1e-9 * z[2]}, {1, 1, 1e-9 * z[3]}};
  double u[3][3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      u[i][k] = p[i + 1][k] + 1e5 - (p[0][k] + 1e5);
  double v = 0;
  for (int k = 0; k < 3; ++k)
    v += u[0][k] * (u[1][(k + 1) % 3] * u[2][(k + 2) % 3] - u[1][(k + 2) % 3] * u[2][(k + 1) % 3]);
  return v * 1e9;
}
ASSAY_CHECK(flat_volume, "double[4]", "int=4");

// Welford's variance about a mean of 1e9.
double welford(const double *x, int n) {
  double m = 0, q = 0;
  for (int i = 0; i < n; ++i) {
    double y = 1e9 + x[i], d = y - m;
    m += d / (i + 1);
    q += d * (y - m);
  }
  return n > 1 ? q / (n - 1) : 0;
}
ASSAY_CHECK(welford, "double[n]", "int=0..9");

// Acceleration of a series until differences are noise.
double wynn(double x) {
  double e[12][13] = {}, s = 0, p = 1;
  for (int i = 0; i < 12; ++i) {
    p *= x / (i + 1);
    s += p;
    e[i][1] = s;
  }
  for (int j = 2; j <= 6; ++j)
    for (int i = 0; i + j <= 12; ++i)
      e[i][j] = e[i + 1][j - 2] + 1 / (e[i + 1][j - 1] - e[i][j - 1]);
  return e[0][5];
}
ASSAY_CHECK(wynn, "double:(0.5,2)");

// Half precision.
float half_precision(float x, float y) {
  _Float16 a = (_Float16)x, b = (_Float16)y;
  return (float)(a * b) + x * y;
}
ASSAY_CHECK(half_precision, "float", "float");

// Extended precision on the way.
double through_extended(double x, double y) {
  long double a = x, b = y, s = a * b;
  for (int i = 0; i < 10; ++i)
    s = s / 3.0L + std::sqrt(a * a + 1);
  return (double)s;
}
ASSAY_CHECK(through_extended, "double", "double");

// A part of the plane has no value.
double in_half_plane(double x, double y) {
  if (x + y < 0)
    throw std::domain_error("x + y is negative");
  return x * y + std::sqrt(x + y);
}
ASSAY_CHECK(in_half_plane, "double", "double");
