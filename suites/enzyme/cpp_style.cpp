// Programs in C++ as users of Enzyme's documentation write them.
#include "support/plugin_test.hpp"
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

// A user's header: markers as inline variables and calls as templates.
inline int enzyme_dup, enzyme_out, enzyme_const;
extern int enzyme_dupnoneed, enzyme_width, enzyme_primal_return, enzyme_runtime_activity, enzyme_tape, enzyme_nofree,
    enzyme_interleave;
template <typename return_type, typename... T>
return_type __enzyme_autodiff(void *, T...);
template <typename return_type, typename... T>
return_type __enzyme_fwddiff(void *, T...);
template <typename return_type, typename... T>
return_type __enzyme_augmentfwd(void *, T...);
template <typename return_type, typename... T>
return_type __enzyme_reverse(void *, T...);

// ---- 1: structs of all sizes by value

struct Vec2 {
  double x, y;
};
struct Particle {
  double position[3], velocity[3];
  double mass;
  int id;
};
struct WithPointer {
  const double *data;
  double factor;
  std::size_t size;
};

namespace programs {

double kinetic(Particle p) {
  double v2 = 0;
  for (const double v : p.velocity)
    v2 += v * v;
  return 0.5 * p.mass * v2 + p.position[p.id];
}
double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}
Particle moved(Particle p, double dt) {
  for (int i = 0; i < 3; ++i)
    p.position[i] += dt * p.velocity[i] * p.velocity[i];
  return p;
}
double total(WithPointer w) {
  return w.factor * std::accumulate(w.data, w.data + w.size, 0.0);
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, StructsByValue) {
  using namespace programs;
  const Particle p{{1, 2, 3}, {4, 5, 6}, 2, 1};
  const auto g = __enzyme_autodiff<Particle>((void *)kinetic, enzyme_out, p);
  EXPECT_CLOSE(g.velocity[2], 12);
  EXPECT_CLOSE(g.mass, 0.5 * (16 + 25 + 36));
  EXPECT_CLOSE(g.position[1], 1);
  const auto h = __enzyme_autodiff<Vec2>((void *)cross, enzyme_out, Vec2{1, 2}, enzyme_const, Vec2{3, 4});
  EXPECT_CLOSE(h.x, 4);
  EXPECT_CLOSE(h.y, -3);
  const Particle dp{{0, 0, 0}, {1, 0, 0}, 0, 1};
  const auto t = __enzyme_fwddiff<Particle>((void *)moved, enzyme_dup, p, dp, enzyme_dup, 0.5, 1.0);
  EXPECT_CLOSE(t.position[0], 0.5 * 8 + 16);
  EXPECT_CLOSE(t.position[1], 25);
  const double data[3] = {1, 2, 3}, tangent[3] = {1, 1, 1};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)total, enzyme_dup, WithPointer{data, 2, 3}, WithPointer{tangent, 1, 3}),
               6 + 6);
}

// ---- 2: primal and gradients together

struct ValueAndGradient {
  double value, dx, dy;
};
struct TapeAndValue {
  void *tape;
  double value;
};

namespace programs {

double himmelblau(double x, double y) {
  return (x * x + y - 11) * (x * x + y - 11) + (x + y * y - 7) * (x + y * y - 7);
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, PrimalReturnAndSplitMode) {
  using namespace programs;
  const auto r =
      __enzyme_autodiff<ValueAndGradient>((void *)himmelblau, enzyme_primal_return, enzyme_out, 1.0, enzyme_out, 2.0);
  EXPECT_CLOSE(r.value, 68);
  EXPECT_CLOSE(r.dx, 4 * (1 + 2 - 11) + 2 * (1 + 4 - 7));
  const auto forward = __enzyme_augmentfwd<TapeAndValue>((void *)himmelblau, 1.0, 2.0);
  const auto g = __enzyme_reverse<Vec2>((void *)himmelblau, 1.0, 2.0, 2.0, forward.tape);
  EXPECT_CLOSE(forward.value, 68);
  EXPECT_CLOSE(g.y, 2 * r.dy);
}

// ---- 3: lambdas, std::function, static members and templates

namespace programs {

template <class T>
struct Ops {
  static T poly(T x) { return x * x * x - x; }
};
template <int N>
double power(double x) {
  double r = 1;
  for (int i = 0; i < N; ++i)
    r *= x;
  return r;
}
double apply(const std::function<double(double)> &f, double x) {
  return f(f(x));
}
template <double (*F)(double)>
double slope(double x) {
  return __enzyme_autodiff<double>((void *)F, x);
}
double through_lambda(double x) {
  const double k = x * x;
  const auto inner = [&](double y) { return k * std::sin(y); };
  return inner(x) + inner(2 * x);
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, LambdasFunctionsAndTemplates) {
  using namespace programs;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)&Ops<double>::poly, 2.0), 11);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)power<5>, 2.0), 80);
  EXPECT_CLOSE(slope<power<3>>(2.0), 12);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)+[](double x) { return x / (1 + x); }, 1.0), 0.25);
  const std::function<double(double)> f = [](double x) { return x * x; };
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)apply, enzyme_const, &f, enzyme_out, 2.0), 32);
  const double x = 0.6;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)through_lambda, x),
               2 * x * (std::sin(x) + std::sin(2 * x)) + x * x * (std::cos(x) + 2 * std::cos(2 * x)));
}

// ---- 4: classes with virtual functions, a shadow by copying bytes

namespace programs {

class Base {
public:
  explicit Base(double k) : k_(k) {}
  virtual ~Base() = default;
  virtual double eval(double x) const = 0;
  double k() const { return k_; }

protected:
  double k_;
};
class Linear : public Base {
public:
  using Base::Base;
  double eval(double x) const override { return k_ * x; }
};
class Sine : public Base {
public:
  using Base::Base;
  double eval(double x) const override { return std::sin(k_ * x); }
};
double sum_of(const Base *const *parts, int n, double x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += parts[i]->eval(x);
  return s;
}
double owned(double x) {
  std::vector<std::unique_ptr<Base>> parts;
  parts.push_back(std::make_unique<Linear>(x));
  parts.push_back(std::make_unique<Sine>(2));
  double s = 0;
  for (const auto &part : parts)
    s += part->eval(x);
  return s;
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, VirtualFunctions) {
  using namespace programs;
  Linear linear(3), dlinear(0);
  Sine sine(2), dsine(0);
  const Base *parts[2] = {&linear, &sine}, *shadows[2] = {&dlinear, &dsine};
  const double dx =
      __enzyme_autodiff<double>((void *)sum_of, enzyme_dup, parts, shadows, enzyme_const, 2, enzyme_out, 0.5);
  EXPECT_CLOSE(dx, 3 + 2 * std::cos(1.0));
  EXPECT_CLOSE(dlinear.k(), 0.5);
  EXPECT_CLOSE(dsine.k(), 0.5 * std::cos(1.0));
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)owned, 0.5), 2 * 0.5 + 2 * std::cos(1.0));
}

// ---- 5: containers by reference

namespace programs {

void layer(const std::vector<std::vector<double>> &w, const std::vector<double> &x, std::vector<double> &y) {
  y.assign(w.size(), 0.0);
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      y[i] += std::tanh(w[i][j] * x[j]);
}
double loss(const std::vector<std::vector<double>> &w, const std::vector<double> &x) {
  std::vector<double> y;
  layer(w, x, y);
  return std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
}
double lookup(const std::map<int, double> &table, double x) {
  double s = 0;
  for (const auto &[power, coefficient] : table)
    s += coefficient * std::pow(x, power);
  return s;
}
double guarded(double x) {
  try {
    if (x < 1)
      throw std::runtime_error("small");
    return x * x;
  } catch (const std::exception &) {
    return 3 * x;
  }
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, ContainersAndExceptions) {
  using namespace programs;
  const std::vector<std::vector<double>> w{{0.1, 0.2}, {0.3, 0.4}};
  std::vector<std::vector<double>> dw{{0, 0}, {0, 0}};
  const std::vector<double> x{0.5, -0.7};
  std::vector<double> dx(2);
  __enzyme_autodiff<void>((void *)loss, enzyme_dup, &w, &dw, enzyme_dup, &x, &dx);
  const double y1 = std::tanh(0.15) + std::tanh(-0.28), slope = 1 - std::tanh(0.15) * std::tanh(0.15);
  EXPECT_CLOSE(dw[1][0], 2 * y1 * slope * 0.5);
  const std::map<int, double> table{{1, 2.0}, {3, 5.0}};
  std::map<int, double> dtable{{1, 0.0}, {3, 0.0}};
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)lookup, enzyme_dup, &table, &dtable, enzyme_out, 2.0), 2 + 60);
  EXPECT_CLOSE(dtable[3], 8);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)guarded, 3.0), 6);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)guarded, 0.5), 3);
}

// ---- 6: many tangents at once, as an array

namespace programs {

void rhs(const double *u, double *du, double a) {
  du[0] = a * u[0] - u[0] * u[1];
  du[1] = u[0] * u[1] - u[1];
}
void euler(double *u, double a, int steps) {
  double du[2];
  for (int i = 0; i < steps; ++i) {
    rhs(u, du, a);
    for (int k = 0; k < 2; ++k)
      u[k] += 0.01 * du[k];
  }
}
double final_state(const double *start, double a) {
  double u[2] = {start[0], start[1]};
  euler(u, a, 50);
  return u[0] + 2 * u[1];
}

} // namespace programs

PLUGIN_TEST(EnzymeCppPrograms, ForwardLanesAgreeWithReverse) {
  using namespace programs;
  const double u[2] = {1, 0.5}, e0[2] = {1, 0}, e1[2] = {0, 1}, none[2] = {0, 0};
  double du[2] = {};
  const double da = __enzyme_autodiff<double>((void *)final_state, enzyme_dup, u, du, enzyme_out, 1.5);
  using Three = std::array<double, 3>;
  const Three t = __enzyme_fwddiff<Three>((void *)final_state, enzyme_width, 3, enzyme_dup, u, e0, e1, none, enzyme_dup,
                                          1.5, 0.0, 0.0, 1.0);
  EXPECT_CLOSE(t[0], du[0]);
  EXPECT_CLOSE(t[1], du[1]);
  EXPECT_CLOSE(t[2], da);
}

// ---- 7: a rule for a function of C++, and one that carries no derivative

namespace programs {

__attribute__((noinline)) double inner(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
TapeAndValue inner_augmented(const std::vector<double> &a, std::vector<double> &, const std::vector<double> &b,
                             std::vector<double> &) {
  return {nullptr, inner(a, b)};
}
void inner_reverse(const std::vector<double> &a, std::vector<double> &da, const std::vector<double> &b,
                   std::vector<double> &db, double seed, void *) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    da[i] += 7 * seed * b[i];
    db[i] += 7 * seed * a[i];
  }
}
double squared_inner(const std::vector<double> &a, const std::vector<double> &b) {
  const double s = inner(a, b);
  return s * s;
}
int logged = 0;
__attribute__((noinline)) void log_value(double x) {
  logged += x > 0;
}
double with_log(double x) {
  log_value(x);
  return std::exp(2 * x);
}

} // namespace programs
void *__enzyme_register_gradient_inner[3] = {(void *)programs::inner, (void *)programs::inner_augmented,
                                             (void *)programs::inner_reverse};
void *__enzyme_inactivefn_log[1] = {(void *)programs::log_value};

PLUGIN_TEST(EnzymeCppPrograms, RulesForFunctionsOfContainers) {
  using namespace programs;
  const std::vector<double> a{1, 2}, b{3, 4};
  std::vector<double> da(2), db(2);
  __enzyme_autodiff<void>((void *)squared_inner, enzyme_dup, &a, &da, enzyme_dup, &b, &db);
  EXPECT_CLOSE(da[1], 7 * 2 * 11 * 4);
  EXPECT_CLOSE(db[0], 7 * 2 * 11 * 1);
  logged = 0;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)with_log, 0.5), 2 * std::exp(1.0));
  EXPECT_HOLDS(logged == 1);
}

// ---- 8: references, everything duplicated, without markers

namespace programs {

void polar(const double &r, const double &phi, double &x, double &y) {
  x = r * std::cos(phi);
  y = r * std::sin(phi);
}

} // namespace programs

template <class... A>
void __enzyme_autodiff_references(void (*)(const double &, const double &, double &, double &), A &&...);

PLUGIN_TEST(EnzymeCppPrograms, ReferencesWithoutMarkers) {
  double r = 2, dr = 0, phi = 0.3, dphi = 0, x, dx = 1, y, dy = 10;
  __enzyme_autodiff_references(programs::polar, r, dr, phi, dphi, x, dx, y, dy);
  EXPECT_CLOSE(dr, std::cos(0.3) + 10 * std::sin(0.3));
  EXPECT_CLOSE(dphi, -2 * std::sin(0.3) + 20 * std::cos(0.3));
  EXPECT_CLOSE(dx, 0);
}
