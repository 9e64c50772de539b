#include "core/test/device/emulation.hpp"

extern "C" {
void split(const double *x, double *dx, double *unused);
void wide(const double *x, double *dx0, double *dx1, double *y, double *dy0, double *dy1);
void ra(const double *x, double *y, double *dy);
void half(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy);
void second(double *results);
}

namespace {

int failures = 0;
void expect(const char *what, double found, double expected, double tolerance = 1e-12) {
  const bool agrees = std::abs(found - expected) <= tolerance;
  failures += !agrees;
  std::printf("%s: %.10g, expected %.10g%s\n", what, found, expected, agrees ? "" : ": WRONG");
}

double iterated(const std::vector<double> &x) {
  double s = 1;
  for (const double number : x)
    s = std::sin(s * number) + number;
  return s;
}

void check_split() {
  const std::vector<double> x = {.3, .5, .7, .2, .9};
  std::vector<double> dx(5);
  emu::launch(1, 1, [&] { split(x.data(), dx.data(), nullptr); });
  for (int i = 0; i < 5; ++i) {
    std::vector<double> above = x, below = x;
    above[i] += 1e-6;
    below[i] -= 1e-6;
    expect("split", dx[i], 2 * (iterated(above) - iterated(below)) / 2e-6, 1e-7);
  }
}

void check_wide() {
  const double x[4] = {1, 2, 3, 4};
  double dx0[4] = {}, dx1[4] = {}, y[4], dy0[4] = {1, 1, 1, 1}, dy1[4] = {0, 0, 0, 1};
  emu::launch(1, 4, [&] { wide(x, dx0, dx1, y, dy0, dy1); });
  const double expected0[4] = {11, 1, 1, 1}, expected1[4] = {4, 0, 0, 1};
  for (int i = 0; i < 4; ++i) {
    expect("first shadow", dx0[i], expected0[i]);
    expect("second shadow", dx1[i], expected1[i]);
  }
}

void check_runtime_activity() {
  const double x[4] = {1, 2, 3, 4};
  double y[4], dy[4] = {1, 1, 1, 1};
  emu::launch(1, 4, [&] { ra(x, y, dy); });
  for (int i = 0; i < 4; ++i)
    expect("its own shadow", x[i], i + 1);
}

void check_half() {
  const _Float16 x[4] = {1, .5, 2, 1};
  _Float16 dx[4] = {}, y[4], dy[4] = {1, 1, 1, 1};
  emu::launch(1, 4, [&] { half(x, dx, y, dy); });
  const double expected[4] = {5.5, 1 + 4 * std::cos(0.5), 1, 1};
  for (int i = 0; i < 4; ++i)
    expect("half", dx[i], expected[i], 1e-2);
}

} // namespace

int main() {
  check_split();
  check_wide();
  check_runtime_activity();
  check_half();
  double derivatives[2];
  emu::launch(1, 1, [&] { second(derivatives); });
  expect("gradient of a gradient", derivatives[0], 18);
  expect("tangent of a gradient", derivatives[1], 18);
  return failures == 0 ? 0 : 1;
}
