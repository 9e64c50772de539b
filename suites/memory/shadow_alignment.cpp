// Programs that look at the address of their memory before they move several numbers at once, as vector libraries do,
// or round it up: the shadow lies where the caller put it, and may be aligned otherwise.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cstdint>

namespace {

using Pair = double __attribute__((vector_size(16)));

bool is_aligned(const double *x) {
  return reinterpret_cast<std::uintptr_t>(x) % sizeof(Pair) == 0;
}

double sum_of_cubes(const double *x, int n) {
  double sum = 0;
  int i = 0;
  if (!is_aligned(x)) {
    sum = x[0] * x[0] * x[0];
    i = 1;
  }
  Pair sums{0, 0};
  for (; i + 1 < n; i += 2) {
    const Pair pair = *reinterpret_cast<const Pair *>(x + i);
    sums += pair * pair * pair;
  }
  for (; i < n; ++i)
    sum += x[i] * x[i] * x[i];
  return sum + sums[0] + sums[1];
}

void cube(double *x, int n) {
  int i = 0;
  if (!is_aligned(x)) {
    x[0] = x[0] * x[0] * x[0];
    i = 1;
  }
  for (; i + 1 < n; i += 2) {
    Pair &pair = *reinterpret_cast<Pair *>(x + i);
    pair = pair * pair * pair;
  }
  for (; i < n; ++i)
    x[i] = x[i] * x[i] * x[i];
}

void copy_pairs(double *__restrict to, const double *__restrict from) {
  if (is_aligned(to) && is_aligned(from))
    __builtin_memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), 4 * sizeof(double));
  else
    for (int i = 0; i < 4; ++i)
      to[i] = from[i];
  to[0] *= 2;
}

/// The square of the first number at an address that is a multiple of 16, and a number that is not found that way.
double rounded_up(const double *x) {
  const auto address = (reinterpret_cast<std::uintptr_t>(x) + 15) & ~std::uintptr_t(15);
  const auto *aligned = reinterpret_cast<const double *>(address);
  return aligned[0] * aligned[0] + 5 * x[2];
}

constexpr int count = 7;

/// Seven numbers that begin `offset` numbers behind a multiple of 16.
struct Buffer {
  alignas(16) double all[count + 1]{};
  int offset;

  Buffer(int where, double start, double step) : offset(where) {
    for (int i = 0; i < count; ++i)
      at(i) = start + step * i;
  }
  double &at(int i) { return all[offset + i]; }
  double *data() { return all + offset; }
};

/// Every way in which a primal and its shadow can lie.
template <class Check>
void for_each_alignment(Check check) {
  for (int primal = 0; primal < 2; ++primal)
    for (int shadow = 0; shadow < 2; ++shadow)
      check(primal, shadow);
}

} // namespace

PLUGIN_TEST(ShadowAlignment, OfVectorsThatAreOnlyRead) {
  for_each_alignment([](int primal, int shadow) {
    Buffer x(primal, 1, 0.5), dx(shadow, 0, 0), tangent(shadow, 1, 0);
    __enzyme_autodiff<void>((void *)sum_of_cubes, enzyme_dup, x.data(), dx.data(), enzyme_const, count);
    double all = 0;
    for (int i = 0; i < count; ++i) {
      EXPECT_CLOSE(dx.at(i), 3 * x.at(i) * x.at(i));
      all += 3 * x.at(i) * x.at(i);
    }
    EXPECT_CLOSE(
        __enzyme_fwddiff<double>((void *)sum_of_cubes, enzyme_dup, x.data(), tangent.data(), enzyme_const, count), all);
  });
}

PLUGIN_TEST(ShadowAlignment, OfVectorsThatAreWritten) {
  for_each_alignment([](int primal, int shadow) {
    Buffer x(primal, 1, 0.5), y(primal, 1, 0.5), dx(shadow, 1, 1), tangent(shadow, 1, 1);
    __enzyme_autodiff<void>((void *)cube, enzyme_dup, x.data(), dx.data(), enzyme_const, count);
    __enzyme_fwddiff<void>((void *)cube, enzyme_dup, y.data(), tangent.data(), enzyme_const, count);
    for (int i = 0; i < count; ++i) {
      const double value = 1 + 0.5 * i, expected = 3 * value * value * (1 + i);
      EXPECT_CLOSE(dx.at(i), expected);
      EXPECT_CLOSE(tangent.at(i), expected);
    }
  });
}

PLUGIN_TEST(ShadowAlignment, OfCopies) {
  for_each_alignment([](int primal, int shadow) {
    Buffer x(primal, 1, 1), y(primal, 0, 0), dx(shadow, 0, 0), dy(shadow, 1, 1);
    __enzyme_autodiff<void>((void *)copy_pairs, enzyme_dup, y.data(), dy.data(), enzyme_dup, x.data(), dx.data());
    for (int i = 0; i < 4; ++i)
      EXPECT_CLOSE(dx.at(i), i == 0 ? 2 : 1 + i);
    Buffer tangent(shadow, 1, 1), result(shadow, 0, 0);
    __enzyme_fwddiff<void>((void *)copy_pairs, enzyme_dup, y.data(), result.data(), enzyme_dup, x.data(),
                           tangent.data());
    for (int i = 0; i < 4; ++i)
      EXPECT_CLOSE(result.at(i), i == 0 ? 2 : 1 + i);
  });
}

PLUGIN_TEST(ShadowAlignment, OfAddressesThatAreRoundedUp) {
  for_each_alignment([](int primal, int shadow) {
    Buffer x(primal, 1, 1), dx(shadow, 0, 0), tangent(shadow, 1, 1);
    __enzyme_autodiff<void>((void *)rounded_up, enzyme_dup, x.data(), dx.data());
    double all = 0;
    for (int i = 0; i < count; ++i) {
      const double expected = (i == primal ? 2 * x.at(i) : 0) + (i == 2 ? 5 : 0);
      EXPECT_CLOSE(dx.at(i), expected);
      all += expected * (1 + i);
    }
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)rounded_up, enzyme_dup, x.data(), tangent.data()), all);
  });
}
