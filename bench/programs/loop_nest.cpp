// Five nested loops.
#include "bench/programs/derivatives.hpp"

#include <cmath>

extern int extents[5];

namespace {

double nest(const double *x) {
  double sum = 0;
  for (int a = 0; a < extents[0]; ++a)
    for (int b = 0; b < extents[1]; ++b) {
      double row = x[a] * x[b];
      for (int c = 0; c < extents[2]; ++c) {
        row = row * x[c] + 1;
        for (int d = 0; d < extents[3]; ++d)
          for (int e = 0; e < extents[4]; ++e)
            sum += std::sin(row * x[d]) * x[e] * sum;
      }
    }
  return sum;
}

} // namespace

ASSAY_DERIVATIVES_OF(nest)
