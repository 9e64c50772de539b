/* Rows and columns. */
#include <assay/check.h>
#include <math.h>

void multiply(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
ASSAY_CHECK(multiply, "double[3x3]", "double[3x3]", "double[3x3]", "int=3");

double quadratic(double a[4][4], const double *x) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sum += x[i] * sin(a[i][j]) * x[j];
  return sum;
}
ASSAY_CHECK(quadratic, "double[4x4]", "double[4]");

void solve_lower(const double *l, double *b, int n) {
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int j = 0; j < i; ++j)
      sum -= l[i * n + j] * b[j];
    b[i] = sum / l[i * n + i];
  }
}
ASSAY_CHECK(solve_lower, "double[4x4]:positive", "double[4]", "int=4");

void square_in_place(double *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = a[i * n + j] * a[j * n + i] + a[i * n + j];
}
ASSAY_CHECK(square_in_place, "double[3x3]", "int=3");
