// Calls through pointers that may mean any of many functions: projections of a map, say, chosen by their names.
#include "support/vector_program.hpp"
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace {

constexpr int kinds = 60;

struct Projection {
  double scale;
  double (*apply)(const Projection &, double);
};

template <int Kind>
double project(const Projection &projection, double x) {
  return projection.scale * std::sin(x + Kind) + Kind * x * x;
}

template <int... Kind>
Projection made(int kind, double scale, std::integer_sequence<int, Kind...>) {
  Projection projection{scale, nullptr};
  (void)((Kind == kind && (projection.apply = project<Kind>, true)) || ...);
  return projection;
}

double projected(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const Projection projection = made((7 * i + 50) % kinds, x[0], std::make_integer_sequence<int, kinds>());
    sum += projection.apply(projection, x[i]) * (i + 1);
  }
  return sum;
}

struct Curve {
  virtual ~Curve() = default;
  virtual double at(double x) const = 0;
};

template <int Kind>
struct Power : Curve {
  double factor;
  explicit Power(double factor) : factor(factor) {}
  double at(double x) const override { return factor * std::exp(x / (Kind + 1)); }
};

template <int... Kind>
std::unique_ptr<Curve> curve(int kind, double factor, std::integer_sequence<int, Kind...>) {
  std::unique_ptr<Curve> chosen;
  (void)((Kind == kind && (chosen = std::make_unique<Power<Kind>>(factor), true)) || ...);
  return chosen;
}

double on_curves(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += curve((11 * i + 40) % kinds, x[i], std::make_integer_sequence<int, kinds>())->at(x[n - 1 - i]);
  return sum;
}

} // namespace

PLUGIN_TEST(ManyFunctions, AreCalledThroughPointers) {
  CHECK_FUNCTION(projected, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(ManyFunctions, AreVirtual) {
  CHECK_FUNCTION(on_curves, 0.7, -1.2, 0.4);
}
