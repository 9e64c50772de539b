// Long chains of calls: code and time must grow with the length of the chain, not with the number of ways through it.
#include "support/vector_program.hpp"

#define NOINLINE __attribute__((noinline))

namespace {

/// Each function calls the next one at two places, of which one is reached: 2^40 ways.
template <int depth>
NOINLINE double forked(double x, const double *weights) {
  const double y = 0.5 * std::sin(x) + weights[depth % 3];
  if constexpr (depth == 0)
    return y;
  else if (x > weights[1])
    return y * forked<depth - 1>(0.9 * y, weights);
  else
    return y + forked<depth - 1>(y, weights);
}

double forks(const double *x, int) {
  return forked<40>(x[0], x);
}

/// Each function is called at one place.
template <int depth>
NOINLINE void step(double *state, const double *weights) {
  state[depth % 3] += 0.1 * std::sin(state[(depth + 1) % 3]) * weights[depth % 2];
  if constexpr (depth > 0)
    step<depth - 1>(state, weights);
}

double chain(const double *x, int) {
  double state[3] = {x[0], x[1], 0.5};
  step<100>(state, x);
  return state[0] * state[1] + state[2];
}

/// A function with one call that is part of a cycle.
double outer(double x, int depth);
NOINLINE double inner(double x, int depth) {
  return std::sin(outer(0.5 * x, depth - 1)) + x;
}
NOINLINE double outer(double x, int depth) {
  return depth <= 0 ? x * x : x * inner(x, depth);
}

double cycle(const double *x, int) {
  return outer(x[0], 3);
}

/// One call, in a loop, of a function with stack memory of its own.
NOINLINE double with_memory(double x, int i) {
  double memory[4];
  for (int k = 0; k < 4; ++k)
    memory[k] = k == 0 ? x : memory[k - 1] * x + i;
  return memory[3] * memory[1];
}

double in_a_loop(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum = 0.25 * sum * x[i] + with_memory(x[i], i);
  return sum;
}

} // namespace

PLUGIN_TEST(Chains, EveryFunctionIsCalledAtTwoPlaces) {
  CHECK_FUNCTION(forks, 0.6, 0.35, 0.2);
}
PLUGIN_TEST(Chains, EveryFunctionIsCalledAtOnePlace) {
  CHECK_FUNCTION(chain, 0.6, -0.7);
}
PLUGIN_TEST(Chains, AFunctionWithOneCallMayBePartOfACycle) {
  CHECK_FUNCTION(cycle, 0.6);
}
PLUGIN_TEST(Chains, AFunctionWithOneCallMayHaveMemoryAndBeCalledInALoop) {
  CHECK_FUNCTION(in_a_loop, 0.6, -0.7, 0.9);
}
