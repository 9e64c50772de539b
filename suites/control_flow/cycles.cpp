// Cycles of jumps that are no loops: they have several entries.
#include "support/vector_program.hpp"

namespace {

/// A cycle of three blocks, each of which may be the first.
double three_entries(const double *x, int n) {
  double a = x[0], b = x[1];
  int i = 0, j = 0;
  switch (n % 3) {
  case 0:
    goto first;
  case 1:
    goto second;
  default:
    goto third;
  }
first:
  a = 0.9 * a + b * x[2];
  if (++i > 9)
    return a * b;
  if (i & 1)
    goto third;
second:
  b = 0.8 * b + std::sin(a);
  if (++j > 12)
    return a * b;
  if (a > 3)
    goto first;
third:
  a -= 0.2 * b * x[3];
  if (i + j > 18)
    return a * b;
  if ((i + j) % 4 == 1)
    goto second;
  ++i;
  goto first;
}

} // namespace

PLUGIN_TEST(Cycles, ACycleMayHaveThreeEntries) {
  CHECK_FUNCTION(three_entries, 0.7, 1.1, 1.6, 0.4);
  CHECK_FUNCTION(three_entries, 0.7, 1.1, 1.6, 0.4, 0.2);
  CHECK_FUNCTION(three_entries, 0.7, 1.1, 1.6, 0.4, 0.2, 0.9);
}
