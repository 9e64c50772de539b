#pragma once
// The matrix that the factorisations take.

namespace assay::bench {

/// The input makes a matrix that is large on its diagonal.
inline void copy_dominant(const double *input, double *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = input[i * n + j] + (i == j ? n : 0);
}

} // namespace assay::bench
