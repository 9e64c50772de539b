// Compares both derivatives of a kernel with finite differences along a random direction, in three orders of the
// threads. NUMBER is the type of the kernel's numbers.
#ifdef ON_DEVICE
#include "core/test/device/on_device.hpp"
#else
#include "core/test/device/emulation.hpp"
#endif

using Numbers = std::vector<NUMBER>;
extern "C" {
void prim(const NUMBER *x, NUMBER *y, int n);
void grad(const NUMBER *x, NUMBER *dx, NUMBER *y, NUMBER *dy, int n);
void fwd(const NUMBER *x, NUMBER *dx, NUMBER *y, NUMBER *dy, int n);
alignas(16) double dyn[4096]; // dynamic shared memory
}

namespace {

constexpr int size = 256, blocks = 4, threads = 64;
constexpr bool is_double = sizeof(NUMBER) == 8;
std::mt19937_64 engine(1);

Numbers random_numbers(double low, double high) {
  Numbers numbers(size);
  for (NUMBER &number : numbers)
    number = std::uniform_real_distribution<double>(low, high)(engine);
  return numbers;
}

} // namespace

int main() {
  emu::dyn = 2 * 128 * 8;
  const Numbers x = random_numbers(0.3, 1.5), weights = random_numbers(-0.6, 0.6),
                direction = random_numbers(-0.6, 0.6), before = random_numbers(0.3, 1.5);
  const auto outputs = [&](double step) {
    Numbers moved = x, y = before;
    for (int i = 0; i < size; ++i)
      moved[i] += step * direction[i];
    emu::launch(blocks, threads, [&] { prim(moved.data(), y.data(), size); });
    return y;
  };
  const double step = is_double ? 1e-5 : 1e-2, tolerance = is_double ? 1e-7 : 3e-3;
  const Numbers above = outputs(step), below = outputs(-step);
  double expected = 0, scale = 1e-3;
  for (int i = 0; i < size; ++i) {
    const double term = weights[i] * ((double)above[i] - below[i]) / (2 * step);
    expected += term;
    scale += std::abs(term);
  }
  int failures = 0;
  const auto compare = [&](const char *mode, int order, double found) {
    const bool agrees = std::abs(found - expected) <= tolerance * scale; // false for NaN
    failures += !agrees;
    std::printf("order %d, %s: %.10g, expected %.10g%s\n", order, mode, found, expected, agrees ? "" : ": WRONG");
  };
  for (int order = 0; order < 3; ++order) {
    Numbers inputs = x, y = before, tangents = direction, of_y(size, 0);
    emu::launch(blocks, threads, [&] { fwd(inputs.data(), tangents.data(), y.data(), of_y.data(), size); }, order);
    double forward = 0, reverse = 0;
    for (int i = 0; i < size; ++i)
      forward += weights[i] * of_y[i];
    compare("forward", order, forward);
    Numbers adjoints(size, 0.25), seeds = weights; // adjoints are added
    inputs = x;
    y = before;
    emu::launch(blocks, threads, [&] { grad(inputs.data(), adjoints.data(), y.data(), seeds.data(), size); }, order);
    for (int i = 0; i < size; ++i)
      reverse += (adjoints[i] - 0.25) * direction[i];
    compare("reverse", order, reverse);
  }
  return failures == 0 ? 0 : 1;
}
