// One piece of memory with a header of integers before an array of numbers, grown and copied as bytes.
#include "support/vector_program.hpp"
#include <cstdlib>
#include <cstring>

namespace {

struct Samples {
  int count;
  unsigned kind : 3, negative : 1;
  double values[];
};

double grown(const double *x, int n) {
  auto *samples = static_cast<Samples *>(std::malloc(sizeof(Samples) + n * sizeof(double)));
  samples->count = n;
  samples->kind = 5;
  samples->negative = 1;
  std::memcpy(samples->values, x, n * sizeof(double));
  double sum = 0;
  for (int i = 0; i < samples->count; ++i)
    sum += (samples->negative ? -1 : 1) * samples->kind * samples->values[i] * samples->values[samples->count - 1 - i];
  samples = static_cast<Samples *>(std::realloc(samples, sizeof(Samples) + 2 * n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    samples->values[n + i] = samples->values[i] * sum;
  for (int i = 0; i < samples->count; ++i)
    sum += samples->values[n + i];
  std::free(samples);
  return sum;
}

} // namespace

PLUGIN_TEST(HeaderAndArray, GrowTogether) {
  CHECK_FUNCTION(grown, 0.7, -1.2, 0.4, 1.1);
}
