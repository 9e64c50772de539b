// LAPACK: triangular systems and inverses, by the interfaces of Fortran and of LAPACKE.
#include "blas/blas_program.hpp"
#include <vector>

extern "C" {
void dtrtrs_(const char *, const char *, const char *, const int *, const int *, const double *, const int *, double *,
             const int *, int *);
void dtrtri_(const char *, const char *, const int *, double *, const int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgetri_(const int *, double *, const int *, const int *, double *, const int *, int *);
void dpotri_(const char *, const int *, double *, const int *, int *);
int LAPACKE_dtrtrs(int, char, char, char, int, int, const double *, int, double *, int);
int LAPACKE_dtrtri(int, char, char, int, double *, int);
int LAPACKE_dgetrf(int, int, int, double *, int, int *);
int LAPACKE_dgetri(int, int, double *, int, const int *);
int LAPACKE_dpotrf(int, char, int, double *, int);
int LAPACKE_dpotri(int, char, int, double *, int);
}

namespace {

using namespace assay::suites;

constexpr int size = 4, leading = 5;

/// Of 4 rows that are `leading` apart, with a diagonal far from zero.
void make_dominant(const double *x, double *a) {
  std::memcpy(a, x, sizeof(double) * leading * size);
  for (int i = 0; i < size; ++i)
    a[i * (leading + 1)] += 5 + i;
}

double triangular_system(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[leading * size], b[8];
  make_dominant(x, a);
  std::memcpy(b, x + 30, sizeof b);
  const char triangle = of[0] != 0 ? 'U' : 'L', transpose = of[1] != 0 ? 'T' : 'n', diagonal = of[2] != 0 ? 'U' : 'N';
  const int columns = 2;
  int info = 0;
  if (of[3] != 0)
    dtrtrs_(&triangle, &transpose, &diagonal, &size, &columns, a, &leading, b, &size, &info);
  else
    info = LAPACKE_dtrtrs(101, triangle, transpose, diagonal, size, columns, a, leading, b, columns);
  return weighted_squares(b, 8) + info;
}

double triangular_inverse(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[leading * size];
  make_dominant(x, a);
  const char triangle = of[0] != 0 ? 'U' : 'L', diagonal = of[1] != 0 ? 'U' : 'N';
  int info = 0;
  if (of[2] != 0)
    dtrtri_(&triangle, &diagonal, &size, a, &leading, &info);
  else
    info = LAPACKE_dtrtri(101, triangle, diagonal, size, a, leading);
  return weighted_squares(a, leading * size) + info;
}

/// Rows are exchanged; Fortran's interface is asked for its work space before.
double inverse(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[leading * size];
  std::memcpy(a, x, sizeof a);
  for (int i = 0; i < size; ++i)
    a[i + leading * ((i + 1) % size)] += 4 + 0.5 * i;
  int pivots[size], info = 0;
  if (of[0] != 0) {
    double wanted = 0;
    const int ask = -1;
    dgetrf_(&size, &size, a, &leading, pivots, &info);
    dgetri_(&size, a, &leading, pivots, &wanted, &ask, &info);
    std::vector<double> work(static_cast<std::size_t>(wanted));
    const int length = static_cast<int>(work.size());
    dgetri_(&size, a, &leading, pivots, work.data(), &length, &info);
  } else {
    LAPACKE_dgetrf(of[1] != 0 ? 101 : 102, size, size, a, leading, pivots);
    info = LAPACKE_dgetri(of[1] != 0 ? 101 : 102, size, a, leading, pivots);
  }
  return 40 * weighted_squares(a, leading * size - 1) + info;
}

double positive_inverse(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[leading * size] = {};
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      a[i + leading * j] = i == j ? 2 : 0;
      for (int k = 0; k < size; ++k)
        a[i + leading * j] += x[4 * i + k] * x[4 * j + k];
    }
  const char triangle = of[0] != 0 ? 'U' : 'L';
  int info = LAPACKE_dpotrf(102, triangle, size, a, leading);
  if (of[1] != 0)
    dpotri_(&triangle, &size, a, &leading, &info);
  else
    info = LAPACKE_dpotri(102, triangle, size, a, leading);
  double sum = info;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i <= j; ++i)
      sum += (1 + i + 2 * j) * (of[0] != 0 ? a[i + leading * j] : a[j + leading * i]);
  return sum * sum;
}

/// What cannot be solved is left as it is.
double singular(const double *x, const Choice *) {
  double a[leading * size], b[size];
  make_dominant(x, a);
  std::memcpy(b, x + 30, sizeof b);
  a[2 * (leading + 1)] = 0;
  const int info = LAPACKE_dtrtrs(102, 'U', 'N', 'N', size, 1, a, leading, b, size);
  return weighted_squares(b, size) * info;
}

} // namespace

PLUGIN_TEST(Lapack, TriangularSystems) {
  CHECK_OPTIONS(triangular_system, 4);
}

PLUGIN_TEST(Lapack, TriangularInverses) {
  CHECK_OPTIONS(triangular_inverse, 3);
}

PLUGIN_TEST(Lapack, InversesOfFactoredMatrices) {
  CHECK_OPTIONS(inverse, 2);
}

PLUGIN_TEST(Lapack, InversesOfPositiveMatrices) {
  CHECK_OPTIONS(positive_inverse, 2);
}

PLUGIN_TEST(Lapack, SingularTrianglesLeaveTheSystem) {
  CHECK_OPTIONS(singular, 0);
}
