// y[t] = x[t ^ 4]^2 + (x[t ^ 1] x[(t ^ 1) + 1])^2, in numbers that a half holds.
#include "core/test/device/emulation.hpp"

extern "C" {
void adjoints(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy);
void tangents(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy);
}

namespace {

constexpr int lanes = 32;
int failures = 0;
void expect(const char *what, int lane, double found, double expected) {
  const bool agrees = found == expected;
  failures += !agrees;
  if (!agrees)
    std::printf("%s of lane %d: %g, expected %g\n", what, lane, found, expected);
}

} // namespace

int main() {
  for (int order = 0; order < 3; ++order) {
    _Float16 x[lanes], y[lanes], dx[lanes] = {}, dy[lanes], direction[lanes], of_y[lanes] = {};
    double adjoint[lanes] = {}, tangent[lanes] = {};
    for (int t = 0; t < lanes; ++t) {
      x[t] = (_Float16)(1 + t % 3);
      dy[t] = (_Float16)(t % 4 - 1);
      direction[t] = (_Float16)(t % 2 + 1);
    }
    for (int t = 0; t < lanes; ++t) {
      const int far = t ^ 4, near = t ^ 1, next = (near + 1) % lanes;
      const double by_far = 2 * x[far], by_near = 2 * x[near] * x[next] * x[next],
                   by_next = 2 * x[next] * x[near] * x[near];
      adjoint[far] += by_far * dy[t];
      adjoint[near] += by_near * dy[t];
      adjoint[next] += by_next * dy[t];
      tangent[t] = by_far * direction[far] + by_near * direction[near] + by_next * direction[next];
    }
    emu::launch(1, lanes, [&] { adjoints(x, dx, y, dy); }, order);
    emu::launch(1, lanes, [&] { tangents(x, direction, y, of_y); }, order);
    for (int t = 0; t < lanes; ++t) {
      expect("value", t, y[t],
             x[t ^ 4] * x[t ^ 4] + x[t ^ 1] * x[t ^ 1] * x[((t ^ 1) + 1) % lanes] * x[((t ^ 1) + 1) % lanes]);
      expect("adjoint", t, dx[t], adjoint[t]);
      expect("tangent", t, of_y[t], tangent[t]);
    }
  }
  return failures == 0 ? 0 : 1;
}
