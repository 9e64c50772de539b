// Inner loops that walk down columns: several iterations of the outer loop may run side by side, but not where that
// would change what the program computes. Which memory is where, and how long a column is, nobody knows beforehand.
#include "memory/matrices_in_place.hpp"

#include <array>
#include <vector>

namespace {

using assay::suites::Layout;
using assay::suites::Numbers;

Layout layout; // set while the program runs

void product(double *x, int) {
  multiply(x, layout, 0.3);
}

void transposed_product(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double *c = x + l.c;
  for (int i = 0; i < l.count; ++i)
    for (int j = 0; j < l.count; ++j) {
      double sum = c[i * l.row + j];
      for (int k = 0; k < l.count; ++k)
        sum -= a[k * l.row + i] * b[k * l.row + j] * 0.2;
      c[i * l.row + j] = sum;
    }
}

/// What a column becomes hangs on its neighbour, if rows are short.
void scaled_columns(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a;
  double *b = x + l.b;
  for (int j = 0; j < l.count; ++j)
    for (int k = 0; k < l.count; ++k)
      b[k * l.row + j] = 0.5 * b[k * l.row + j] * a[k] + a[j];
}

/// Each column is computed from the one before it.
void following_columns(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a;
  double *b = x + l.b;
  for (int j = 1; j < l.count; ++j)
    for (int k = 0; k < l.count; ++k)
      b[k * l.row + j] += 0.5 * b[k * l.row + j - 1] * a[k];
}

/// Sums of columns, each into one place of two.
void sums_of_columns(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a;
  double *c = x + l.c;
  for (int j = 0; j < l.count; ++j)
    for (int k = 0; k < l.count; ++k)
      c[j % 2] += 0.1 * a[k * l.row + j] * a[k * l.row + j];
}

constexpr std::size_t size = 112;

/// Lanes of a wide derivative against narrow ones; these are compared with differences.
template <void (*program)(double *, int)>
void check_lanes(const Numbers<size> &x, const char *file, int line) {
  using namespace assay::suites;
  std::array<Numbers<size>, 4> lanes, alone;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (std::size_t i = 0; i < size; ++i)
      lanes[lane][i] = direction(i + 5 * lane);
    alone[lane] = lanes[lane];
    Numbers<size> input = x;
    hide(input);
    __enzyme_fwddiff<void>((void *)program, enzyme_dup, input.data(), alone[lane].data(), enzyme_const, 0);
  }
  Numbers<size> input = x;
  hide(input);
  __enzyme_fwddiff<void>((void *)program, enzyme_width, 4, enzyme_dup, input.data(), lanes[0].data(), lanes[1].data(),
                         lanes[2].data(), lanes[3].data(), enzyme_const, 0);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t i = 0; i < size; ++i)
      expect_near_element(lanes[lane][i], alone[lane][i], 1e-12, "lane", i, file, line);
}

template <void (*program)(double *, int)>
void check_layouts(const char *file, int line) {
  Numbers<size> x;
  for (std::size_t i = 0; i < size; ++i)
    x[i] = 0.7 * assay::suites::direction(i);
  for (const Layout &next :
       {Layout{0, 37, 74, 6, 6}, Layout{0, 36, 71, 6, 6}, Layout{74, 37, 2, 6, 5}, Layout{0, 0, 0, 6, 6},
        Layout{3, 1, 2, 5, 5}, Layout{0, 40, 41, 6, 4}, Layout{0, 20, 60, 1, 6}, Layout{0, 20, 60, 2, 7},
        Layout{0, 30, 80, 3, 5}, Layout{0, 30, 60, 4, 2}, Layout{0, 37, 37, 5, 5}, Layout{100, 50, 90, -4, 4}}) {
    layout = next;
    assay::suites::check_map<program>(x, file, line);
    check_lanes<program>(x, file, line);
  }
}
#define CHECK_LAYOUTS(program) check_layouts<program>(__FILE__, __LINE__)

} // namespace

PLUGIN_TEST(Columns, ProductsGoDownThem) {
  CHECK_LAYOUTS(product);
}
PLUGIN_TEST(Columns, ProductsOfATransposedMatrixGoDownTwo) {
  CHECK_LAYOUTS(transposed_product);
}
PLUGIN_TEST(Columns, ShortRowsOverlap) {
  CHECK_LAYOUTS(scaled_columns);
}
PLUGIN_TEST(Columns, OneMayFollowFromAnother) {
  CHECK_LAYOUTS(following_columns);
}
PLUGIN_TEST(Columns, TheirSumsMayMeet) {
  CHECK_LAYOUTS(sums_of_columns);
}
