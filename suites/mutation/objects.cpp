// What C++ makes of it: templates, function objects, containers, virtual calls.
#include <array>
#include <assay/check.h>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

template <class Function>
static double integrate(Function function, double from, double to) {
  double sum = 0;
  const int steps = 6;
  for (int i = 0; i < steps; ++i)
    sum += function(from + (to - from) * (i + 0.5) / steps);
  return sum * (to - from) / steps;
}
double area(double a, double b) {
  return integrate([a](double x) { return std::exp(-a * x * x) * x; }, 0, b);
}
ASSAY_CHECK(area, "double:(0.5,1.5)", "double:(0.5,2)");

double layers(const double *weights, const double *input, int n) {
  std::vector<double> values(input, input + n);
  for (int layer = 0; layer < 2; ++layer) {
    std::vector<double> next(n);
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += weights[(layer * n + i) * n + j] * values[j];
      next[i] = std::tanh(sum);
    }
    values = next;
  }
  double sum = 0;
  for (const double value : values)
    sum += value * value;
  return sum;
}
ASSAY_CHECK(layers, "double[2x3x3]", "double[3]", "int=3");

struct Shape {
  virtual ~Shape() = default;
  virtual double area(const double *sizes) const = 0;
};
struct Disc : Shape {
  double area(const double *sizes) const override { return 3.14159 * sizes[0] * sizes[0]; }
};
struct Box : Shape {
  double area(const double *sizes) const override { return sizes[0] * sizes[1]; }
};
double total_area(const double *sizes, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    std::unique_ptr<Shape> shape;
    if (i % 2)
      shape = std::make_unique<Disc>();
    else
      shape = std::make_unique<Box>();
    sum += shape->area(sizes + i) * (1 + sum);
  }
  return sum;
}
ASSAY_CHECK(total_area, "double[5]", "int=4");

double composed(double x, double y) {
  const std::array<std::function<double(double)>, 3> chain{[](double v) { return v * v; },
                                                           [y](double v) { return std::sin(v) * y; },
                                                           [](double v) { return v + std::exp(v); }};
  for (const auto &function : chain)
    x = function(x) + x;
  return x;
}
ASSAY_CHECK(composed, "double:(-1,1)", "double:(-1,1)");
