#include "against_differences.h"

// State in globals across functions that are not inlined
static double state[4];
static int where;
static struct {
  double sum;
  int n;
} stats;
__attribute__((noinline)) static void reset(void) {
  memset(state, 0, sizeof state);
  where = 0;
  stats.sum = 0;
  stats.n = 0;
}
__attribute__((noinline)) static void push(double v) {
  state[where++ & 3] = v * v;
  stats.sum += v;
  stats.n++;
}
__attribute__((noinline)) static double total(void) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += state[i] * (i + 1);
  return s;
}
__attribute__((noinline)) static double mean(void) {
  return stats.sum / stats.n;
}
static double f(const double *x, int n) {
  reset();
  for (int i = 0; i < n; i++)
    push(x[i]);
  return total() * mean();
}
MAIN(f, 6, 0.5, 1e-5)
