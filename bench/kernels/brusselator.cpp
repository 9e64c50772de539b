// The Brusselator on a periodic grid, by Runge-Kutta steps of fourth order.
#include "bench/kernel_of.hpp"

#include <vector>

namespace assay::bench {

namespace {

/// Both species, one grid after the other.
void slope(const double *state, double *change, int size) {
  const int cells = size * size;
  const double *u = state, *v = state + cells;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int up = (i == 0 ? size - 1 : i - 1) * size + j, down = (i == size - 1 ? 0 : i + 1) * size + j;
      const int left = i * size + (j == 0 ? size - 1 : j - 1), right = i * size + (j == size - 1 ? 0 : j + 1);
      const int here = i * size + j;
      const double reaction = u[here] * u[here] * v[here];
      change[here] = 1 + reaction - 4.4 * u[here] + 2.5 * (u[up] + u[down] + u[left] + u[right] - 4 * u[here]);
      change[cells + here] = 3.4 * u[here] - reaction + 2.5 * (v[up] + v[down] + v[left] + v[right] - 4 * v[here]);
    }
}

void advance(std::vector<double> &state, double time_step, int size) {
  const std::size_t count = state.size();
  std::vector<double> first(count), second(count), third(count), fourth(count), trial(count);
  slope(state.data(), first.data(), size);
  for (std::size_t i = 0; i < count; ++i)
    trial[i] = state[i] + 0.5 * time_step * first[i];
  slope(trial.data(), second.data(), size);
  for (std::size_t i = 0; i < count; ++i)
    trial[i] = state[i] + 0.5 * time_step * second[i];
  slope(trial.data(), third.data(), size);
  for (std::size_t i = 0; i < count; ++i)
    trial[i] = state[i] + time_step * third[i];
  slope(trial.data(), fourth.data(), size);
  for (std::size_t i = 0; i < count; ++i)
    state[i] += time_step / 6 * (first[i] + 2 * second[i] + 2 * third[i] + fourth[i]);
}

double value(const double *start, const double *wanted, int size, int steps, int) {
  std::vector<double> state(start, start + 2 * size * size);
  for (int step = 0; step < steps; ++step)
    advance(state, 1e-2, size);
  double sum = 0;
  for (std::size_t i = 0; i < state.size(); ++i)
    sum += (state[i] - wanted[i]) * (state[i] - wanted[i]);
  return sum;
}

constexpr int size = 16;

} // namespace

Kernel brusselator() {
  return kernel_of<value>({"brusselator", 2 * size * size, 0, 0.5, 1.5, 2 * size * size, {size, 10, 0}});
}

} // namespace assay::bench
