// Pointers to active memory and to memory that was declared constant meet, and the constant memory is only read. No
// option is needed: the derivative tells them apart when it runs.
#include "support/vector_program.hpp"
#include <utility>

namespace {

constexpr int most = 8;
using Function = double (*)(const double *, const double *, int);

double boundary_beside_interior(const double *u, const double *walls, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double left = i > 0 ? u[i - 1] : walls[0];
    const double right = i + 1 < n ? u[i + 1] : walls[1];
    sum += (right - left) * (right - left) * u[i];
  }
  return sum;
}

double pointer_to_either(const double *a, const double *b, int n) {
  const double *chosen = n % 2 == 0 ? a : b;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += chosen[i] * chosen[i] * a[n - 1 - i];
  return sum;
}

[[gnu::noinline]] void join(double *to, const double *a, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = i < 3 ? a[i] : b[i - 3];
}

double joined_by_a_callee(const double *a, const double *b, int n) {
  double joined[most];
  join(joined, a, b, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(joined[i]) * joined[(i + 1) % n];
  return sum;
}

double local_memory_or_constant(const double *a, const double *b, int n) {
  double squares[most];
  for (int i = 0; i < n; ++i)
    squares[i] = a[i] * a[i];
  const double *chosen = n % 2 == 1 ? b : squares;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += chosen[i] * a[n - 1 - i];
  return sum;
}

double table_of_rows(const double *a, const double *b, int n) {
  const double *rows[4] = {a, b, a + 2, b + 1};
  double sum = 0;
  for (int i = 0; i < n && i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      sum += rows[i][j] * rows[(i + 1) % 4][j];
  return sum;
}

struct View {
  const double *numbers;
  int size;
};

[[gnu::noinline]] double sum_of_squares(const View &view) {
  double sum = 0;
  for (int i = 0; i < view.size; ++i)
    sum += view.numbers[i] * view.numbers[i];
  return sum;
}

double views_in_an_array(const double *a, const double *b, int n) {
  const View views[2] = {{a, n}, {b, n - 1}};
  double product = 1;
  for (const View &view : views)
    product *= sum_of_squares(view);
  return product;
}

double copied_from_either(const double *a, const double *b, int n) {
  double kept[2];
  std::memcpy(kept, n > 3 ? a : b, sizeof kept);
  double sum = kept[0] * kept[0] * kept[1];
  std::memcpy(kept, n > 3 ? b : a, sizeof kept);
  return sum + kept[0] * a[0] + kept[1] * a[1];
}

double pointers_in_turns(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[0] * b[1] + a[1] * a[1];
    std::swap(a, b);
  }
  return sum;
}

[[gnu::noinline]] double in_turns(const double *a, const double *b, int n) {
  return n == 0 ? a[0] * b[0] : in_turns(b, a, n - 1) + a[1] * a[1] * n;
}

/// Two lanes forward, and reverse, against differences; the second lane goes twice as fast.
template <Function f>
void check(const char *file, int line) {
  using namespace assay::suites;
  constexpr double b[most] = {1.3, 1.1, 0.4, 1.2, 0.5, 0.9, 2.1, 0.6};
  constexpr Numbers<most> a = {1.1, 2.2, 0.3, 1.4, 0.5, 0.6, 0.7, 0.8};
  void *function = reinterpret_cast<void *>(f);
  for (int n = 2; n <= 6; ++n) {
    Numbers<most> input = a, adjoint{};
    __enzyme_autodiff<void>(function, enzyme_dup, input.data(), adjoint.data(), enzyme_const, b, enzyme_const, n);
    for (std::size_t i = 0; i < most; ++i) {
      const double expected = central_difference([&](double change) {
        Numbers<most> moved = a;
        moved[i] += change;
        return f(moved.data(), b, n);
      });
      expect_near_element(adjoint[i], expected, central_tolerance, "adjoint", i, file, line);
      Numbers<most> first{}, second{};
      first[i] = 1, second[i] = 2;
      const auto tangents = __enzyme_fwddiff<Numbers<2>>(function, enzyme_width, 2, enzyme_dup, input.data(),
                                                         first.data(), second.data(), enzyme_const, b, enzyme_const, n);
      expect_near_element(tangents[0], expected, central_tolerance, "first tangent", i, file, line);
      expect_near_element(tangents[1], 2 * expected, 2 * central_tolerance, "second tangent", i, file, line);
    }
  }
}

} // namespace

PLUGIN_TEST(ConstantBesideActive, ABoundaryBesideTheInterior) {
  check<boundary_beside_interior>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, APointerToEither) {
  check<pointer_to_either>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, NumbersThatACalleeJoins) {
  check<joined_by_a_callee>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, LocalMemoryOrAnArgument) {
  check<local_memory_or_constant>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, ATableOfRows) {
  check<table_of_rows>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, ViewsInAnArray) {
  check<views_in_an_array>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, CopiesFromEither) {
  check<copied_from_either>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, PointersInTurns) {
  check<pointers_in_turns>(__FILE__, __LINE__);
}
PLUGIN_TEST(ConstantBesideActive, ArgumentsInTurnsOfARecursion) {
  check<in_turns>(__FILE__, __LINE__);
}
