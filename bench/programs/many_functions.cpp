// Twenty small functions.
#include "bench/programs/derivatives.hpp"

#include <cmath>

#define FUNCTION(number)                                                                                               \
  static double function##number(const double *x) {                                                                    \
    double sum = number;                                                                                               \
    for (int i = 0; i < 8; ++i)                                                                                        \
      sum += std::sin(x[i] * number) * x[i] * x[(i + number) % 8];                                                     \
    return sum > 0 ? std::sqrt(sum + number) : sum * sum;                                                              \
  }                                                                                                                    \
  ASSAY_DERIVATIVES_OF(function##number)
#define FIVE(a, b, c, d, e) FUNCTION(a) FUNCTION(b) FUNCTION(c) FUNCTION(d) FUNCTION(e)

FIVE(1, 2, 3, 4, 5)
FIVE(6, 7, 8, 9, 10)
FIVE(11, 12, 13, 14, 15)
FIVE(16, 17, 18, 19, 20)
