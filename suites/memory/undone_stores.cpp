// Loops that read much and overwrite little: the reverse sweep puts memory back to what it was, reads it again, and in
// the end leaves what the program left.
#include "support/vector_program.hpp"

namespace {

/// Every sum reads what the sums before it wrote.
void sums_over_what_they_overwrite(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += x[j] * x[(i + j) % n];
    x[i] = 0.3 * sum;
  }
}

/// The result lies over its factors, one element apart.
void product(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = 0.5 * sum;
    }
}
__attribute__((noinline)) void overlapping_product(double *x, int n) {
  (void)n;
  product(x, x + 1, x + 2, 2);
  product(x + 2, x, x + 1, 2);
}

/// From the end to the start, by a negative stride.
void backwards(double *x, int n) {
  for (int i = n - 1; i >= 0; i -= 2) {
    double sum = 0.1;
    for (int j = n - 1; j >= 0; --j)
      sum += x[j] * x[j] * (j + 1);
    x[i] = 0.1 * sum;
  }
}

/// Unsigned indices that wrap around.
void wrapped_index(double *x, int n) {
  for (unsigned step = 0; step < 5; ++step) {
    double sum = 0;
    for (unsigned j = 0; j < 7; ++j)
      sum += x[(j - 3u) % unsigned(n)] * x[j % unsigned(n)];
    x[(step - 2u) % unsigned(n)] = 0.2 * sum;
  }
}

/// Where the second loop reads is known only after the first one. Its stores may overwrite what both read.
__attribute__((noinline)) void later_address(const double *x, double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  const double *chosen = sum < 3 ? x : x + 1;
  for (int i = 0; i < n; ++i)
    y[i] = sum * chosen[i] * chosen[i];
}

/// Rows that are only known as pointers in memory, two of them the same.
void rows_in_memory(double *x, int n) {
  double *rows[4] = {x, x + 2, x, x + n / 2};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += rows[k][j] * rows[(i + k) % 4][1];
      rows[i][j] = 0.2 * sum;
    }
}

/// What was read before the inner loop is used behind it, where it has been overwritten.
void used_after_overwriting(double *x, int n) {
  for (int step = 0; step < 3; ++step) {
    const double early = x[step];
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += x[j] * x[j];
    x[step] = 0.2 * sum;
    x[(step + 1) % n] += early * early * x[step];
  }
}

/// The overwritten value decides, behind its overwriting, which way the reverse sweep goes.
void branch_on_overwritten(double *x, int n) {
  for (int step = 0; step < 4; ++step) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += x[j] * x[(j + step) % n];
    if (x[step % n] > 0.6)
      x[step % n] = 0.1 * sum * sum;
    else
      x[step % n] = 0.3 * sum;
  }
}

/// A trip count that the loop itself overwrites.
void count_in_memory(double *x, int n) {
  for (int step = 0; step < 3; ++step) {
    const int count = 2 + int(x[step] * 0.5 + 1);
    double sum = 0;
    for (int j = 0; j < count; ++j)
      sum += x[j] * x[(j + 1) % n];
    for (int j = 0; j < count; ++j)
      x[j] = 0.3 * sum * x[j];
  }
}

/// The same memory in each step, but not in each step all of it.
void less_every_step(double *x, int n) {
  for (int step = 0; step < n - 1; ++step)
    for (int i = 0; i < n - step; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] * x[(i + j) % n];
      x[i] = 0.25 * sum;
    }
}

/// Steps that write only when the data want it.
void sometimes_written(double *x, int n) {
  for (int step = 0; step < 4; ++step)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] * x[(i + j) % n];
      if (sum > 0.2 * (step + 1))
        x[i] = 0.25 * sum;
    }
}

/// Power iteration: both vectors are overwritten in each step, and only the last step's values stay.
void power_iteration(double *x, int n) {
  double y[16];
  for (int step = 0; step < 3; ++step) {
    double norm = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] / (1 + ((i * j + step) % 3));
      y[i] = sum;
      norm += sum * sum;
    }
    for (int i = 0; i < n; ++i)
      x[i] = y[i] / std::sqrt(norm);
  }
}

/// Left early: the last step writes less than the others.
void left_early(double *x, int n) {
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] * x[(i + j + step) % n];
      x[i] = 0.2 * sum;
      if (step == 3 && i == 1)
        return;
    }
  }
}

/// Scattered: the same place again and again within one step.
void scattered(double *x, int n) {
  static const int places[] = {0, 2, 0, 1, 2, 0};
  for (int step = 0; step < 2; ++step)
    for (int i = 0; i < 6; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] * x[places[(i + j) % 6]];
      x[places[i]] = 0.3 * sum;
    }
}

void cholesky_and_product(double *x, int n) {
  double a[16];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      a[4 * i + j] = x[(i + j) % n] * x[(i * j) % n] + (i == j ? 6 : 0);
  for (int j = 0; j < 4; ++j) {
    double sum = a[4 * j + j];
    for (int k = 0; k < j; ++k)
      sum -= a[4 * j + k] * a[4 * j + k];
    a[4 * j + j] = std::sqrt(sum);
    for (int i = j + 1; i < 4; ++i) {
      double entry = a[4 * i + j];
      for (int k = 0; k < j; ++k)
        entry -= a[4 * i + k] * a[4 * j + k];
      a[4 * i + j] = entry / a[4 * j + j];
    }
  }
  for (int i = 0; i < n; ++i)
    x[i] = a[(5 * i) % 16] * x[i];
}

/// Each element is overwritten in every step until its row and column are done.
void factors_in_place(double *x, int n) {
  double a[25];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = x[(i + j) % n] * x[(i * j) % n] + (i == j ? 6 : 0);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  for (int i = 0; i < n; ++i)
    x[i] = a[i * n + i] * a[i * n + (i + 1) % n];
}

/// The same with rows that begin before the one above ends: elements of one row are those of the next.
void factors_in_short_rows(double *x, int n) {
  const int length = n / 3;
  for (int k = 0; k < n / 2; ++k)
    for (int i = k + 1; i < n / 2; ++i) {
      x[i * length + k] *= 0.5 * x[k * length + k];
      for (int j = k + 1; j < n - i * length; ++j)
        x[i * length + j] -= 0.3 * x[i * length + k] * x[k * length + j];
    }
}

/// Back substitution: the inner loop reads what the outer one has written, downwards.
void back_substitution(double *x, int n) {
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      x[i] -= 0.2 * x[j] * (1 + ((i + j) % 3));
    x[i] *= x[i];
  }
}

/// Memory that is released before the function returns.
void released_before_the_end(double *x, int n) {
  double *copy = static_cast<double *>(__builtin_malloc(sizeof(double) * unsigned(n)));
  for (int i = 0; i < n; ++i)
    copy[i] = x[i];
  for (int step = 0; step < 3; ++step)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += copy[j] * x[(i + j) % n];
      copy[i] = 0.3 * sum;
    }
  for (int i = 0; i < n; ++i)
    x[i] = copy[i];
  __builtin_free(copy);
}

} // namespace

PLUGIN_TEST(UndoneStores, SumsReadWhatEarlierSumsWrote) {
  CHECK_MAP(sums_over_what_they_overwrite, 0.3, -0.7, 0.9, 0.8, -0.4);
}
PLUGIN_TEST(UndoneStores, AProductMayLieOverItsFactors) {
  CHECK_MAP(overlapping_product, 0.3, -0.7, 0.9, 0.8, -0.4, 0.6);
}
PLUGIN_TEST(UndoneStores, AddressesMayDependOnEarlierLoops) {
  double x[3] = {2, 1, 3}, shadow[3] = {0, 0, 0}, y[2] = {0, 0}, seed[2] = {1, 1};
  __enzyme_autodiff<void>((void *)later_address, enzyme_dup, x, shadow, enzyme_dup, y, seed, enzyme_const, 2);
  EXPECT_CLOSE(y[1], 45);
  EXPECT_CLOSE(shadow[0], 40);
  EXPECT_CLOSE(shadow[1], 30);
  EXPECT_CLOSE(shadow[2], 30);
}
PLUGIN_TEST(UndoneStores, IndicesMayRunBackwards) {
  CHECK_MAP(backwards, 0.3, -0.7, 0.9, 0.8, -0.4);
}
PLUGIN_TEST(UndoneStores, UnsignedIndicesMayWrapAround) {
  CHECK_MAP(wrapped_index, 0.3, -0.7, 0.9, 0.8, -0.4);
}
PLUGIN_TEST(UndoneStores, RowsMayBePointersInMemory) {
  CHECK_MAP(rows_in_memory, 0.3, -0.7, 0.9, 0.8, -0.4, 0.6);
}
PLUGIN_TEST(UndoneStores, AnOldValueMayBeUsedBehindItsOverwriting) {
  CHECK_MAP(used_after_overwriting, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, AnOverwrittenValueMayDecideABranch) {
  CHECK_MAP(branch_on_overwritten, 0.3, 0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, AnOverwrittenValueMayDecideATripCount) {
  CHECK_MAP(count_in_memory, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, StepsMayWriteLessAndLess) {
  CHECK_MAP(less_every_step, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, StepsMayWriteWhenTheDataWantIt) {
  CHECK_MAP(sometimes_written, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, ThePowerIterationLeavesItsLastVector) {
  CHECK_MAP(power_iteration, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, TheLastStepMayEndEarly) {
  CHECK_MAP(left_early, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, AStepMayWriteOnePlaceTwice) {
  CHECK_MAP(scattered, 0.3, -0.7, 0.9);
}
PLUGIN_TEST(UndoneStores, AFactorisationReadsWhatItWrote) {
  CHECK_MAP(cholesky_and_product, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, MemoryMayBeReleasedBeforeTheEnd) {
  CHECK_MAP(released_before_the_end, 0.3, -0.7, 0.9, 0.8);
}
PLUGIN_TEST(UndoneStores, AMatrixMayBeFactoredInPlace) {
  CHECK_MAP(factors_in_place, 0.3, -0.7, 0.9, 0.8, -0.4);
}
PLUGIN_TEST(UndoneStores, RowsMayOverlap) {
  CHECK_MAP(factors_in_short_rows, 0.3, -0.7, 0.9, 0.8, -0.4, 0.6);
}
PLUGIN_TEST(UndoneStores, ASystemMayBeSolvedInPlace) {
  CHECK_MAP(back_substitution, 0.3, -0.7, 0.9, 0.8, -0.4);
}
