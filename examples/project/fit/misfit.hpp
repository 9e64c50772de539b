#pragma once

namespace fit {

/// The sum of squares of what a curve of three coefficients misses at `n` points.
double misfit(const double *coefficients, const double *x, const double *y, int n);

} // namespace fit
