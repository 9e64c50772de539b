/* Two indices in one address: rows and columns that must not be exchanged. */
#include <assay/check.h>
#include <math.h>

double grid(const double *u, int rows, int columns) {
  double sum = 0;
  for (int i = 1; i + 1 < rows; ++i)
    for (int j = 1; j + 1 < columns; ++j) {
      const double x = u[(i + 1) * columns + j] - u[(i - 1) * columns + j];
      const double y = u[i * columns + j + 1] * u[i * columns + j - 1];
      sum += x * x * y + u[i * columns + j];
    }
  return sum;
}
ASSAY_CHECK(grid, "double[4x5]", "int=4", "int=5");

void transpose_into(const double *a, double *b, int rows, int columns) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      b[j * rows + i] = a[i * columns + j] * b[j * rows + i];
}
ASSAY_CHECK(transpose_into, "double[3x4]", "double[4x3]", "int=3", "int=4");

void outer(const double *x, const double *y, double *a, int rows, int columns) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      a[i * columns + j] += x[i] * sin(y[j]);
}
ASSAY_CHECK(outer, "double[3]", "double[4]", "double[3x4]", "int=3", "int=4");

/* Cholesky's decomposition, in the lower triangle. */
void cholesky(double *a, int n) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i)
        a[i * n + j] -= a[i * n + k] * a[j * n + k] / (8 * n);
    const double root = sqrt(1 + a[j * n + j] * a[j * n + j]);
    for (int i = j; i < n; ++i)
      a[i * n + j] /= root;
  }
}
ASSAY_CHECK(cholesky, "double[4x4]:(0.5,2)", "int=4");

void convolve(const double *image, const double *kernel, double *out, int n, int m) {
  const int size = n - m + 1;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double sum = out[i * size + j];
      for (int p = 0; p < m; ++p)
        for (int q = 0; q < m; ++q)
          sum += image[(i + p) * n + j + q] * kernel[p * m + q] * sum;
      out[i * size + j] = sum;
    }
}
ASSAY_CHECK(convolve, "double[4x4]", "double[2x2]:(-0.5,0.5)", "double[3x3]", "int=4", "int=2");

double attention(const double *q, const double *k, int n, int d) {
  double total = 0;
  for (int i = 0; i < n; ++i) {
    double weights = 0, sum = 0;
    for (int j = 0; j < n; ++j) {
      double score = 0;
      for (int c = 0; c < d; ++c)
        score += q[i * d + c] * k[j * d + c];
      const double e = exp(score);
      weights += e;
      sum += e * k[j * d + i % d];
    }
    total += sum / weights;
  }
  return total;
}
ASSAY_CHECK(attention, "double[3x2]", "double[3x2]", "int=3", "int=2");

/* Three indices. */
void contract(const double *t, const double *v, double *out, int a, int b, int c) {
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < c; ++k)
        out[i * b + j] += t[(i * b + j) * c + k] * v[k] * out[i * b + j];
}
ASSAY_CHECK(contract, "double[2x3x4]:(-0.5,0.5)", "double[4]", "double[2x3]", "int=2", "int=3", "int=4");
