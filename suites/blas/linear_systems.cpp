// LAPACK: Cholesky and LU factorisations and what is solved with them, by the interfaces of Fortran and of LAPACKE.
#include "blas/blas_program.hpp"

extern "C" {
void dpotrf_(const char *, const int *, double *, const int *, int *);
void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
int LAPACKE_dpotrf(int, char, int, double *, int);
int LAPACKE_dposv(int, char, int, int, double *, int, double *, int);
int LAPACKE_dgetrf(int, int, int, double *, int, int *);
int LAPACKE_dgetrs(int, char, int, int, const double *, int, const int *, double *, int);
int LAPACKE_dgesv(int, int, int, double *, int, int *, double *, int);
}

namespace {

using namespace assay::suites;

/// X X' + 2, of 4 rows that are `leading` apart.
void make_positive(const double *x, double *a, int leading) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      a[i + leading * j] = i == j ? 2 : 0;
      for (int k = 0; k < 4; ++k)
        a[i + leading * j] += x[4 * i + k] * x[4 * j + k];
    }
}

/// Large numbers beside the diagonal: rows have to be exchanged, in an order that no small change makes another one.
void make_regular(double *a, int size, int leading) {
  for (int i = 0; i < size; ++i)
    a[i + leading * ((i + 1) % size)] += 4 + 0.5 * i;
}

double cholesky(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[20] = {}, b[8];
  make_positive(x, a, 5);
  std::memcpy(b, x + 30, sizeof b);
  const char triangle = of[0] != 0 ? 'U' : 'l';
  const int size = 4, leading = 5, columns = 2;
  int info = 0;
  if (of[1] != 0) {
    dpotrf_(&triangle, &size, a, &leading, &info);
    dpotrs_(&triangle, &size, &columns, a, &leading, b, &size, &info);
  } else {
    info = LAPACKE_dpotrf(101, triangle, 4, a, 5);
  }
  double sum = info;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i <= j; ++i) { // Of the triangle that is a factor.
      const bool below = (of[0] != 0) == (of[1] == 0);
      sum += (1 + i + 2 * j) * (below ? a[j + 5 * i] : a[i + 5 * j]);
    }
  return sum * sum + weighted_squares(b, 8);
}

double positive_system(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[16], b[8];
  make_positive(x, a, 4);
  std::memcpy(b, x + 30, sizeof b);
  LAPACKE_dposv(of[0] != 0 ? 101 : 102, of[1] != 0 ? 'U' : 'L', 4, 2, a, 4, b, of[0] != 0 ? 2 : 4);
  return weighted_squares(b, 8);
}

/// Rows are exchanged, of matrices that are not square as well.
double elimination(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[30];
  std::memcpy(a, x, sizeof a);
  int pivots[5], info = 0;
  const int rows = of[0] != 0 ? 5 : 4, columns = of[1] != 0 ? 5 : 3, leading = 6;
  make_regular(a, 3, leading);
  if (of[2] != 0)
    dgetrf_(&rows, &columns, a, &leading, pivots, &info);
  else
    info = LAPACKE_dgetrf(101, rows, columns, a, 6, pivots);
  return weighted_squares(a, 30) + info;
}

double system_of_equations(const double *x, const Choice *choice) {
  const int *of = choice->values;
  const int order = of[0] != 0 ? 101 : 102;
  double a[16], b[8];
  std::memcpy(a, x, sizeof a);
  std::memcpy(b, x + 30, sizeof b);
  make_regular(a, 4, 4);
  int pivots[4];
  LAPACKE_dgetrf(order, 4, 4, a, 4, pivots);
  LAPACKE_dgetrs(order, of[1] != 0 ? 'T' : 'N', 4, 2, a, 4, pivots, b, of[0] != 0 ? 2 : 4);
  if (of[2] != 0)
    LAPACKE_dgetrs(order, 'N', 4, 2, a, 4, pivots, b, of[0] != 0 ? 2 : 4);
  return weighted_squares(b, 8);
}

/// Each system is made of the solution of the one before, in the same memory.
double chain_of_systems(const double *x, const Choice *) {
  double b[4], a[16];
  std::memcpy(b, x + 30, sizeof b);
  for (int step = 0; step < 3; ++step) {
    std::memcpy(a, x + step, sizeof a);
    for (int i = 0; i < 4; ++i)
      a[5 * i] += 2 + 0.25 * b[i];
    const int size = 4, one = 1;
    int pivots[4], info = 0;
    dgesv_(&size, &one, a, &size, pivots, b, &size, &info);
  }
  return weighted_squares(b, 4);
}

double in_direction(const double *x, const double *direction) {
  static constexpr Choice choice{{1, 1}};
  return __enzyme_fwddiff<double>((void *)positive_system, enzyme_dup, x, direction, enzyme_const, &choice);
}

double in_direction_of_chain(const double *x, const double *direction) {
  static constexpr Choice choice{};
  return __enzyme_fwddiff<double>((void *)chain_of_systems, enzyme_dup, x, direction, enzyme_const, &choice);
}

} // namespace

PLUGIN_TEST(Lapack, Cholesky) {
  CHECK_OPTIONS(cholesky, 2);
}

PLUGIN_TEST(Lapack, PositiveSystems) {
  CHECK_OPTIONS(positive_system, 2);
}

PLUGIN_TEST(Lapack, EliminationWithExchangedRows) {
  CHECK_OPTIONS(elimination, 3);
}

PLUGIN_TEST(Lapack, SystemsOfEquations) {
  CHECK_OPTIONS(system_of_equations, 3);
}

PLUGIN_TEST(Lapack, ChainsOfSystems) {
  CHECK_OPTIONS(chain_of_systems, 0);
}

PLUGIN_TEST(Lapack, SecondDerivatives) {
  check_second_derivative<in_direction>(__FILE__, __LINE__);
  check_second_derivative<in_direction_of_chain>(__FILE__, __LINE__);
}
