// Tables of rows, each allocated by itself: what is read of one row is read again where only others are written. Rows
// that stand in two places, change places or are allocated anew may not be taken for such.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace assay::suites;
using Rows = std::vector<std::vector<double>>;

template <class Table>
void eliminate(Table &a, int count) {
  for (int k = 0; k < count; ++k)
    for (int i = k + 1; i < count; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < count; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

template <class Table>
void fill(Table &a, int count, const double *x, int n) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      a[i][j] = x[(i * count + j) % n] + (i == j ? 3 : 0);
}

template <class Table>
double squares(const Table &a, int rows, int columns) {
  double sum = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum += a[i][j] * a[i][j] * (1 + 0.1 * i - 0.2 * j);
  return sum;
}

double **allocate(int rows, int columns) {
  auto **a = static_cast<double **>(std::malloc(rows * sizeof(double *)));
  for (int i = 0; i < rows; ++i)
    a[i] = static_cast<double *>(std::malloc(columns * sizeof(double)));
  return a;
}

void release(double **a, int rows) {
  for (int i = 0; i < rows; ++i)
    std::free(a[i]);
  std::free(a);
}

constexpr int size = 5;

double eliminated_vectors(const double *x, int n) {
  Rows a(size, std::vector<double>(size));
  fill(a, size, x, n);
  eliminate(a, size);
  return squares(a, size, size);
}

double eliminated_pointers(const double *x, int n) {
  double **a = allocate(size, size);
  fill(a, size, x, n);
  eliminate(a, size);
  const double sum = squares(a, size, size);
  release(a, size);
  return sum;
}

double eliminated_owners(const double *x, int n) {
  const std::unique_ptr<std::unique_ptr<double[]>[]> a(new std::unique_ptr<double[]>[size]);
  for (int i = 0; i < size; ++i)
    a[i] = std::make_unique<double[]>(size);
  fill(a, size, x, n);
  eliminate(a, size);
  return squares(a, size, size);
}

double bricks(const double *x, int n) {
  std::vector<Rows> a(3, Rows(3, std::vector<double>(3)));
  for (int i = 0; i < 3; ++i)
    fill(a[i], 3, x + i, n - i);
  for (int i = 1; i < 3; ++i)
    for (int j = 1; j < 3; ++j)
      for (int k = 1; k < 3; ++k)
        a[i][j][k] += 0.03 * a[i - 1][j][k] * a[i][j - 1][k] * a[i][j][k - 1];
  return squares(a[0], 3, 3) + squares(a[1], 3, 3) * squares(a[2], 3, 3) * 0.01;
}

/// All places hold one row.
double one_row(const double *x, int n) {
  auto **a = static_cast<double **>(std::malloc(size * sizeof(double *)));
  auto *row = static_cast<double *>(std::malloc(size * sizeof(double)));
  for (int i = 0; i < size; ++i)
    a[i] = row;
  for (int j = 0; j < size; ++j)
    row[j] = x[j % n];
  double sum = 0;
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < size; ++i) {
      sum += a[k][i] * a[i][k];
      a[i][k] = a[k][i] * 0.9 + 0.1 * x[i % n];
    }
  std::free(row);
  std::free(a);
  return sum;
}

/// Each row stands in two places.
double rows_twice(const double *x, int n) {
  auto **a = static_cast<double **>(std::malloc(2 * size * sizeof(double *)));
  for (int i = 0; i < size; ++i) {
    auto *row = static_cast<double *>(std::malloc(size * sizeof(double)));
    a[i] = a[2 * size - 1 - i] = row;
    for (int j = 0; j < size; ++j)
      row[j] = x[(i + j) % n];
  }
  double sum = 0;
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < size; ++i) {
      sum += a[k][i] * a[k][i];
      a[size + k][i] = a[k][i] * 0.8 + 0.1 * x[i % n] * a[i][k];
    }
  sum += squares(a, size, size);
  for (int i = 0; i < size; ++i)
    std::free(a[i]);
  std::free(a);
  return sum;
}

double exchanged_rows(const double *x, int n) {
  Rows a(size, std::vector<double>(size));
  fill(a, size, x, n);
  for (int k = 0; k + 1 < size; ++k) {
    std::swap(a[k], a[size - 1 - k / 2]);
    for (int i = k + 1; i < size; ++i)
      for (int j = 0; j < size; ++j)
        a[i][j] -= 0.1 * a[k][j] * a[i][k];
  }
  return squares(a, size, size);
}

/// Two rows take turns.
double turns(const double *x, int n) {
  double *levels[2] = {static_cast<double *>(std::malloc(n * sizeof(double))),
                       static_cast<double *>(std::malloc(n * sizeof(double)))};
  for (int i = 0; i < n; ++i)
    levels[0][i] = x[i];
  for (int step = 0; step < 5; ++step)
    for (int i = 0; i < n; ++i)
      levels[(step + 1) % 2][i] = levels[step % 2][i] * levels[step % 2][(i + 1) % n] * 0.5 + 0.3 * x[i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += levels[1][i] * levels[1][i];
  std::free(levels[0]);
  std::free(levels[1]);
  return sum;
}

/// Rows are allocated anew, perhaps where others were.
double renewed_rows(const double *x, int n) {
  auto **a = static_cast<double **>(std::calloc(3, sizeof(double *)));
  double sum = 0;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 3; ++i) {
      std::free(a[i]);
      a[i] = static_cast<double *>(std::malloc(3 * sizeof(double)));
      for (int j = 0; j < 3; ++j)
        a[i][j] = x[(i + j) % n] * (round + 1) * 0.3 + sum * 0.1;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        a[i][j] *= a[j][i];
        sum += a[i][j] * a[i][j] * 0.1;
      }
  }
  release(a, 3);
  return sum;
}

/// Pointers into rows, held elsewhere, write to them as well.
double rows_known_elsewhere(const double *x, int n) {
  Rows a(size, std::vector<double>(size));
  fill(a, size, x, n);
  std::vector<double *> rows;
  for (auto &row : a)
    rows.push_back(row.data());
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const double value = a[i][j];
      rows[j][i] += value * value * 0.02;
      a[i][j] += rows[(i + 1) % size][j] * 0.1 * value;
    }
  return squares(a, size, size);
}

/// The same row may be named by two indices.
double named_rows(const double *x, int n) {
  Rows a(4, std::vector<double>(4));
  fill(a, 4, x, n);
  int order[4] = {2, 0, 2, 1};
  hide(order);
  for (int round = 0; round < 3; ++round)
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 4; ++j)
        a[order[k]][j] = a[order[(k + 1) % 4]][j] * a[k][j] * 0.2 + 0.1;
  return squares(a, 4, 4);
}

/// Rows that grow, with their ends read from the table.
double growing_rows(const double *x, int n) {
  Rows a(3);
  for (int round = 0; round < 5; ++round) {
    a[round % 3].resize(2 + round);
    for (std::size_t j = 0; j < a[round % 3].size(); ++j)
      a[round % 3][j] += x[(round + j) % n] * (round > 0 ? a[(round + 2) % 3].back() : 1);
  }
  double sum = 0;
  for (const auto &row : a)
    for (double value : row)
      sum += value * value;
  return sum;
}

/// What a row is filled from is exchanged with it.
double copied_tables(const double *x, int n) {
  Rows a(3, std::vector<double>(3));
  fill(a, 3, x, n);
  Rows b = a;
  for (int i = 1; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      b[i][j] *= a[i - 1][j];
      a[i][j] += b[i - 1][j] * b[i][j] * 0.1;
    }
  std::swap(a, b);
  for (int i = 1; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      b[i][j] *= a[i][j];
  return squares(b, 3, 3);
}

double tables_in_a_loop(const double *x, int n) {
  double sum = 0;
  for (int round = 0; round < 4; ++round) {
    Rows a(3, std::vector<double>(3));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        a[i][j] = x[(i * 3 + j) % n] + sum * 0.01;
    for (int i = 1; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        a[i][j] *= a[i - 1][j];
    sum += squares(a, 3, 3);
  }
  return sum;
}

} // namespace

PLUGIN_TEST(TablesOfRows, OfVectorsAreEliminatedInPlace) {
  CHECK_FUNCTION(eliminated_vectors, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, OfPointersAreEliminatedInPlace) {
  CHECK_FUNCTION(eliminated_pointers, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, OfOwnersAreEliminatedInPlace) {
  CHECK_FUNCTION(eliminated_owners, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, HaveRowsThatAreTables) {
  CHECK_FUNCTION(bricks, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayHoldOneRowEverywhere) {
  CHECK_FUNCTION(one_row, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayHoldRowsTwice) {
  CHECK_FUNCTION(rows_twice, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayExchangeRows) {
  CHECK_FUNCTION(exchanged_rows, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayHoldTwoRowsThatTakeTurns) {
  CHECK_FUNCTION(turns, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayRenewRows) {
  CHECK_FUNCTION(renewed_rows, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayHaveRowsThatAreKnownElsewhere) {
  CHECK_FUNCTION(rows_known_elsewhere, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayBeIndexedByNumbersInMemory) {
  CHECK_FUNCTION(named_rows, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayHaveRowsThatGrow) {
  CHECK_FUNCTION(growing_rows, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayBeCopiedAndExchanged) {
  CHECK_FUNCTION(copied_tables, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}
PLUGIN_TEST(TablesOfRows, MayComeAndGoInALoop) {
  CHECK_FUNCTION(tables_in_a_loop, 0.9, 1.1, -0.7, 0.4, 0.8, -1.2, 0.6);
}

/// Rows last until the gradient ends, and no longer.
PLUGIN_TEST(TablesOfRows, AreGivenBack) {
  std::vector<double> x(25, 0.9), shadow(25);
  expect_no_growth(
      [&] {
        __enzyme_autodiff<void>((void *)eliminated_vectors, enzyme_dup, x.data(), shadow.data(), enzyme_const, 25);
        __enzyme_autodiff<void>((void *)tables_in_a_loop, enzyme_dup, x.data(), shadow.data(), enzyme_const, 25);
      },
      __FILE__, __LINE__);
}
