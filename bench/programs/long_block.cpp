// One block of five thousand instructions.
#include "bench/programs/derivatives.hpp"

#define STATEMENT(a, b, c)                                                                                             \
  v[a] = v[b] * v[c] + v[a];                                                                                           \
  v[b] = v[b] - 0.125 * v[c] * v[a];
#define FIVE(a)                                                                                                        \
  STATEMENT(a, a + 1, a + 2)                                                                                           \
  STATEMENT(a + 1, a + 3, a + 4)                                                                                       \
  STATEMENT(a + 2, a + 4, a)                                                                                           \
  STATEMENT(a + 3, a, a + 1)                                                                                           \
  STATEMENT(a + 4, a + 2, a + 3)
#define FIFTY FIVE(0) FIVE(1) FIVE(2) FIVE(3) FIVE(4) FIVE(5) FIVE(6) FIVE(7) FIVE(8) FIVE(9)
#define FIVE_HUNDRED FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY

namespace {

double block(const double *x) {
  double v[14];
  for (int i = 0; i < 14; ++i)
    v[i] = x[i];
  FIVE_HUNDRED FIFTY FIFTY FIFTY FIFTY double sum = 0;
  for (int i = 0; i < 14; ++i)
    sum += v[i];
  return sum;
}

} // namespace

ASSAY_DERIVATIVES_OF(block)
