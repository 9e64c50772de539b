// Arrays: in place, overwritten, local, copied, filled.
#include "support/vector_program.hpp"
#include <cstdlib>

namespace {

void square_in_place(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i];
}

void read_write_read(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    const double old = x[i];
    x[i] = std::sin(old);
    x[i] = x[i] * x[i] + old * x[i];
  }
}

/// Gauss-Seidel: each element reads a neighbour that is already new and one that is still old.
void stencil_in_place(double *x, int n) {
  for (int sweep = 0; sweep < 4; ++sweep)
    for (int i = 1; i + 1 < n; ++i)
      x[i] = 0.3 * x[i - 1] * x[i + 1] + 0.4 * x[i];
}

/// Explicit time stepping with two buffers that swap.
void two_buffers(double *x, int n) {
  double other[16];
  double *from = x, *to = other;
  for (int i = 0; i < n; ++i)
    other[i] = 0;
  for (int step = 0; step < 6; ++step) {
    for (int i = 0; i < n; ++i) {
      const int left = i ? i - 1 : n - 1, right = i + 1 < n ? i + 1 : 0;
      to[i] = from[i] + 0.1 * (from[left] - 2 * from[i] + from[right]) - 0.05 * from[i] * from[i];
    }
    double *swap = from;
    from = to;
    to = swap;
  }
}

void prefix_products(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] *= x[i - 1];
}

void reversed(double *x, int n) {
  for (int i = 0; i < n / 2; ++i) {
    const double t = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = t;
  }
  x[0] *= x[n - 1];
}

void sort_in_place(double *x, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && x[j] < x[j - 1]; --j) {
      const double t = x[j];
      x[j] = x[j - 1];
      x[j - 1] = t;
    }
  for (int i = 0; i < n; ++i)
    x[i] *= i + 1;
}

void overwritten_with_a_constant(double *x, int n) {
  const double kept = x[0] * x[1];
  x[0] = 3.0;
  x[1] = x[0] * kept;
  x[n - 1] = 0;
}

void gather_and_scatter(double *x, int n) {
  static const int order[] = {3, 0, 2, 1, 3, 2};
  for (int i = 0; i < 6; ++i)
    x[order[i] % n] = x[i % n] * x[order[(i + 1) % 6] % n] + 0.5;
}

void index_from_data(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    const int j = int(x[i] * 10) % n;
    x[j < 0 ? -j : j] += x[i] * x[i];
  }
}

void local_array(double *x, int n) {
  double work[3][4] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      work[i][j] = x[(i + j) % n] * (i + 1) + (j ? work[i][j - 1] : 0.5);
  for (int i = 0; i < n; ++i)
    x[i] = work[i % 3][i % 4] * work[(i + 1) % 3][3];
}

void local_array_of_each_iteration(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    double powers[5];
    powers[0] = 1;
    for (int k = 1; k < 5; ++k)
      powers[k] = powers[k - 1] * x[i];
    x[i] = powers[4] + 2 * powers[3] - powers[1];
  }
}

void variable_length_array(double *x, int n) {
  double *copy = static_cast<double *>(__builtin_alloca(sizeof(double) * n));
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * x[n - 1 - i];
  for (int i = 0; i < n; ++i)
    x[i] = copy[i] * copy[(i + 1) % n];
}

void copied(double *x, int n) {
  double work[32];
  std::memcpy(work, x, sizeof(double) * n);
  for (int i = 0; i < n; ++i)
    x[i] = work[i] * work[n - 1 - i];
  std::memcpy(x + 1, work, sizeof(double) * (n - 2));
}

void moved_over_itself(double *x, int n) {
  std::memmove(x + 1, x, sizeof(double) * (n - 1));
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i] * (i + 1);
  std::memmove(x, x + 2, sizeof(double) * (n - 2));
  x[n - 1] *= x[0];
}

void filled(double *x, int n) {
  const double first = x[0];
  std::memset(x, 0, sizeof(double) * (n - 1));
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] += first * x[i + 1] + x[i] + first;
}

void copied_in_a_loop(double *x, int n) {
  double history[6][8];
  for (int step = 0; step < 6; ++step) {
    std::memcpy(history[step], x, sizeof(double) * n);
    for (int i = 0; i < n; ++i)
      x[i] = std::sin(x[i]) + 0.2 * history[step / 2][(i + 1) % n];
  }
  for (int i = 0; i < n; ++i)
    x[i] *= history[3][i];
}

double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return std::sqrt(s);
}

double accumulated_in_memory(const double *x, int n) {
  double sum[2] = {0, 1};
  for (int i = 0; i < n; ++i) {
    sum[0] += x[i] * sum[1];
    sum[1] *= x[i] + 0.1 * sum[0];
  }
  return sum[0] * sum[1];
}

double matrix_chain(const double *x, int n) {
  double a[2][2] = {{x[0], x[1]}, {x[2], x[3]}}, r[2][2] = {{1, 0}, {0, 1}};
  for (int step = 0; step < 5; ++step) {
    double t[2][2];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        t[i][j] = 0;
        for (int k = 0; k < 2; ++k)
          t[i][j] += r[i][k] * a[k][j];
      }
    std::memcpy(r, t, sizeof r);
  }
  return r[0][0] + 2 * r[0][1] - r[1][0] * r[1][1];
}

double heap_array(const double *x, int n) {
  double *work = static_cast<double *>(std::malloc(sizeof(double) * n));
  for (int i = 0; i < n; ++i)
    work[i] = x[i] * x[i];
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += work[i] * work[n - 1 - i];
  std::free(work);
  return r;
}

double zeroed_heap_array(const double *x, int n) {
  double *bins = static_cast<double *>(std::calloc(4, sizeof(double)));
  for (int i = 0; i < n; ++i)
    bins[i % 4] += x[i] * (1 + bins[(i + 1) % 4]);
  const double r = bins[0] * bins[1] + bins[2] * bins[3];
  std::free(bins);
  return r;
}

double heap_array_of_each_iteration(const double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i) {
    double *work = static_cast<double *>(std::malloc(sizeof(double) * (i + 1)));
    for (int j = 0; j <= i; ++j)
      work[j] = std::sin(x[j]) * r;
    r = 0.5;
    for (int j = 0; j <= i; ++j)
      r += work[j] * work[i - j];
    std::free(work);
  }
  return r;
}

double rows_on_the_heap(const double *x, int n) {
  double **rows = static_cast<double **>(std::malloc(sizeof(double *) * n));
  for (int i = 0; i < n; ++i) {
    rows[i] = static_cast<double *>(std::malloc(sizeof(double) * n));
    for (int j = 0; j < n; ++j)
      rows[i][j] = x[i] * x[j] + i;
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      r += rows[i][j] * rows[j][(i + 1) % n];
  for (int i = 0; i < n; ++i)
    std::free(rows[i]);
  std::free(rows);
  return r;
}

double growing_array(const double *x, int n) {
  double *data = nullptr;
  int size = 0, capacity = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      if (size == capacity) {
        capacity = capacity ? 2 * capacity : 1;
        data = static_cast<double *>(std::realloc(data, sizeof(double) * capacity));
      }
      data[size++] = x[i] * (k + 1) + (size > 1 ? data[size - 2] * 0.1 : 0);
    }
  double r = 0;
  for (int i = 0; i < size; ++i)
    r += data[i] * data[size - 1 - i];
  std::free(data);
  return r;
}

void aliased(double *x, int n) {
  double *even = x, *odd = x + 1;
  for (int i = 0; i + 1 < n; i += 2) {
    even[i] *= odd[i];
    odd[i] += even[i] * even[i];
  }
}

} // namespace

PLUGIN_TEST(Arrays, EachElementIsOverwrittenByItsSquare) {
  CHECK_MAP(square_in_place, 0.3, -1.2, 0.9);
}
PLUGIN_TEST(Arrays, WhatIsReadBeforeAWriteIsTheOldValue) {
  CHECK_MAP(read_write_read, 0.3, -1.2, 0.9);
}
PLUGIN_TEST(Arrays, AStencilMayUpdateInPlace) {
  CHECK_MAP(stencil_in_place, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, TwoBuffersMaySwap) {
  CHECK_MAP(two_buffers, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, EachElementMayDependOnThePreviousOne) {
  CHECK_MAP(prefix_products, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, ElementsMaySwapPlaces) {
  CHECK_MAP(reversed, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, SortingPermutesTheDerivatives) {
  CHECK_MAP(sort_in_place, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, AConstantWrittenOverDataEndsItsDerivative) {
  CHECK_MAP(overwritten_with_a_constant, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, IndicesFromATableAreFollowed) {
  CHECK_MAP(gather_and_scatter, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, IndicesFromTheDataAreFollowed) {
  CHECK_MAP(index_from_data, 0.35, 1.25, 0.95, 0.45);
}
PLUGIN_TEST(Arrays, ALocalArrayCarriesDerivatives) {
  CHECK_MAP(local_array, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, ALocalArrayOfALoopIsNewInEachIteration) {
  CHECK_MAP(local_array_of_each_iteration, 0.3, -1.2, 0.9);
}
PLUGIN_TEST(Arrays, ALocalArrayMayHaveAVariableLength) {
  CHECK_MAP(variable_length_array, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, CopiedMemoryCarriesDerivatives) {
  CHECK_MAP(copied, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, MemoryMayMoveOverItself) {
  CHECK_MAP(moved_over_itself, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, FilledMemoryHasNoDerivative) {
  CHECK_MAP(filled, 0.3, -1.2, 0.9, 1.4, 0.6);
}
PLUGIN_TEST(Arrays, ACopyInALoopKeepsEachIteration) {
  CHECK_MAP(copied_in_a_loop, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, AReductionReadsEachElement) {
  CHECK_FUNCTION(norm, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, AccumulatorsMayLiveInMemory) {
  CHECK_FUNCTION(accumulated_in_memory, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, SmallMatricesMayBeMultipliedInPlace) {
  CHECK_FUNCTION(matrix_chain, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, AHeapArrayCarriesDerivatives) {
  CHECK_FUNCTION(heap_array, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, AZeroedHeapArrayCarriesDerivatives) {
  CHECK_FUNCTION(zeroed_heap_array, 0.3, -1.2, 0.9, 1.4, 0.6, 0.8);
}
PLUGIN_TEST(Arrays, AHeapArrayMayBeMadeInEachIteration) {
  CHECK_FUNCTION(heap_array_of_each_iteration, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, RowsMayBeAllocatedOneByOne) {
  CHECK_FUNCTION(rows_on_the_heap, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, AnArrayMayGrowByReallocation) {
  CHECK_FUNCTION(growing_array, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Arrays, TwoNamesForOneArrayAreOne) {
  CHECK_MAP(aliased, 0.3, -1.2, 0.9, 1.4);
}
