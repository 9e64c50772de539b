#pragma once
// Matrices inside one array of numbers, at places that only the run knows.

#include "support/vector_program.hpp"

namespace assay::suites {

/// Where three matrices begin, how far apart their rows are, and how many rows and columns a loop runs over.
struct Layout {
  int a, b, c, row, count;
};

/// c = factor * a * b
inline void multiply(double *x, const Layout l, double factor) {
  const double *a = x + l.a, *b = x + l.b;
  double *c = x + l.c;
  for (int i = 0; i < l.count; ++i)
    for (int j = 0; j < l.count; ++j) {
      double sum = 0;
      for (int k = 0; k < l.count; ++k)
        sum += a[i * l.row + k] * b[k * l.row + j];
      c[i * l.row + j] = factor * sum;
    }
}

} // namespace assay::suites
