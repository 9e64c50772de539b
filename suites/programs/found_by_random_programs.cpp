// Shapes of code that random programs found to be differentiated wrongly once. Each test names what was wrong.
#include "support/vector_program.hpp"
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace {

struct Particle {
  double position[2];
  int kind;
  float weight;
};

double struct_copy(const double *x, int n) { // the copy was taken for one of doubles alone
  Particle particles[3];
  for (int i = 0; i < n; ++i) {
    particles[i].position[0] = x[i];
    particles[i].weight = 0.5F * static_cast<float>(i + 1);
  }
  particles[0] = particles[1];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += particles[i].position[0] * particles[i].weight;
  return sum;
}

double pointer_table(const double *x, int n) { // shadow pointers in a table were taken for dead stores
  auto *block = static_cast<double *>(std::malloc(3 * n * sizeof(double)));
  double *columns[3];
  for (int c = 0; c < 3; ++c)
    columns[c] = block + c * n;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c)
      columns[c][i] = x[i] * (c + 1);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += columns[0][i] * columns[2][i];
  std::free(block);
  return sum;
}

void zeroed_in_loop(double *x, int n) { // a zero stored as an integer left the old adjoint behind
  const double before = x[1] * 2;
  for (int i = 0; i < n; ++i) {
    if (i > 1)
      std::memset(x + 1, 0, sizeof(double));
    x[0] = x[0] * before + x[1];
  }
}

double inner_loop_of_no_iterations(const double *x, int n) { // tape was reserved for 2^32 iterations
  const int none = n - n;
  double y = x[0], kept[4] = {x[0], x[1], x[2], 1};
  for (int i = 0; i < 20 && y * y < 4; ++i) {
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < none; ++k)
        kept[(i + j + k) % 4] = std::sin(kept[k % 4] * y);
    y = y * 1.3 + 0.1 * kept[i % 4];
  }
  return y * kept[1];
}

__attribute__((noinline)) double aligned_stack(double *x, double y, int n) { // the stack array lost its alignment
  double kept[4];
  for (int i = 0; i < 4; ++i)
    kept[i] = 0.1 * i * y;
  x[1] = x[1] * kept[2] + y;
  for (int i = 0; i < 2; ++i)
    kept[(i + n) % 4] = std::sin(kept[(i * 2 + 1) % 4] + x[i]);
  std::memcpy(x, kept, 2 * sizeof(double));
  if (n > 1)
    y += 0.1 * aligned_stack(x, y * 0.5, n - 1);
  return y + x[0] * kept[3];
}

double aligned_stack_of(const double *x, int n) {
  double copy[3];
  std::memcpy(copy, x, sizeof copy);
  return aligned_stack(copy, x[2], n);
}

void read_after_later_write(double *x, int n) { // a reload met what a later iteration had written
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i + 1 < n; ++i)
      x[i] = x[i] * x[i - 1] * 0.5 + x[i + 1];
}

} // namespace

PLUGIN_TEST(FoundByRandomPrograms, CopiesStructsOfSeveralTypes) {
  CHECK_FUNCTION(struct_copy, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(FoundByRandomPrograms, KeepsTablesOfShadowPointers) {
  CHECK_FUNCTION(pointer_table, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(FoundByRandomPrograms, EndsAdjointsAtZeroesStoredInLoops) {
  CHECK_MAP(zeroed_in_loop, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(FoundByRandomPrograms, ReservesNothingForLoopsThatDoNotRun) {
  CHECK_FUNCTION(inner_loop_of_no_iterations, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(FoundByRandomPrograms, KeepsTheAlignmentOfStackMemoryOnTheTape) {
  CHECK_FUNCTION(aligned_stack_of, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(FoundByRandomPrograms, ReloadsNothingThatLaterIterationsWrite) {
  CHECK_MAP(read_after_later_write, 0.7, -1.2, 0.4, 1.1);
}
