// Loops over arrays with eight tangents at once: such a loop may become several, each for a few lanes, and columns may
// be walked down side by side, but not where that would change what the program computes. Which memory is where, nobody
// knows beforehand.
#include "memory/matrices_in_place.hpp"

#include <array>

namespace {

constexpr std::size_t size = 300, width = 8;
using assay::suites::Layout;
using Numbers = assay::suites::Numbers<size>;

Layout layout; // set while the program runs

void product(double *x, int) {
  multiply(x, layout, 0.1);
}

/// Columns beside numbers that are the same in all of them, and a sum that starts in memory.
void scaled_product(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double *c = x + l.c;
  for (int j = 0; j < l.count; ++j) {
    double sum = c[j];
    for (int k = 0; k < l.count; ++k)
      sum -= 0.1 * std::fabs(b[k * l.row + j]) * a[k] * a[k];
    c[j] = sum * c[j];
  }
}

void eliminated(double *x, int) {
  const Layout l = layout;
  double *a = x + l.a;
  for (int k = 0; k < l.count; ++k)
    for (int i = k + 1; i < l.count; ++i) {
      a[i * l.row + k] *= 0.2 + 0.1 * a[k * l.row + k];
      for (int j = k + 1; j < l.count; ++j)
        a[i * l.row + j] -= a[i * l.row + k] * a[k * l.row + j];
    }
}

/// The factor may be one of the numbers that are changed.
void scaled(double *x, int) {
  const Layout l = layout;
  double *a = x + l.a;
  const double *b = x + l.b;
  for (int j = 0; j < l.count; ++j)
    a[j] = a[j] * b[1] + 0.3 * b[j] * a[j];
}

void squared(double *x, int) {
  const Layout l = layout;
  double *a = x + l.a;
  const double *b = x + l.b;
  for (int j = 0; j < l.count; ++j) {
    const double old = a[j];
    a[j] = 0.5 * old * old;
    x[l.c + j] += old * b[j];
  }
}

void butterflies(double *x, int) {
  const Layout l = layout;
  double *even = x + l.a, *odd = x + l.b;
  double real = 0.9, imaginary = 0.1;
  for (int k = 0; k < 2 * l.count; k += 2) {
    const double odd_real = odd[k] * real - odd[k + 1] * imaginary,
                 odd_imaginary = odd[k] * imaginary + odd[k + 1] * real;
    odd[k] = even[k] - odd_real;
    odd[k + 1] = even[k + 1] - odd_imaginary;
    even[k] += odd_real;
    even[k + 1] += odd_imaginary;
    const double turned = real * 0.8 - imaginary * 0.6;
    imaginary = real * 0.6 + imaginary * 0.8;
    real = turned;
  }
}

void sums(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double products = 0, cubes = 0;
  for (int k = 0; k < l.count; ++k) {
    products += a[k] * b[k];
    cubes += a[k] * b[k] * b[k];
  }
  x[l.c] = products * cubes;
}

/// Each number follows from the one before.
void chain(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double number = 1;
  for (int k = 0; k < l.count; ++k)
    number = number * a[k] * 0.5 + b[k] + x[l.c + k];
  x[l.c] = number;
}

/// The tangent along a direction by finite differences, and that the primal keeps its bits.
template <void (*program)(double *, int)>
void check_alone(const Numbers &x, const Numbers &direction, const Numbers &tangent, const char *file, int line) {
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = assay::suites::central_difference([&](double change) {
      Numbers moved = x;
      for (std::size_t j = 0; j < size; ++j)
        moved[j] += change * direction[j];
      program(moved.data(), int(size));
      return moved[i];
    });
    assay::suites::expect_near_element(tangent[i], expected, 1e-6, "one lane", i, file, line);
  }
}

template <void (*program)(double *, int)>
void check(const Numbers &x, const char *file, int line) {
  using namespace assay::suites;
  std::array<Numbers, width> lanes, alone;
  for (std::size_t lane = 0; lane < width; ++lane) {
    for (std::size_t i = 0; i < size; ++i)
      lanes[lane][i] = 0.3 * direction(i + 5 * lane);
    alone[lane] = lanes[lane];
    Numbers input = x;
    hide(input);
    __enzyme_fwddiff<void>((void *)program, enzyme_dup, input.data(), alone[lane].data(), enzyme_const, 0);
  }
  check_alone<program>(x, lanes[0], alone[0], file, line);
  Numbers primal = x, input = x;
  hide(primal);
  program(primal.data(), int(size));
  hide(input);
  __enzyme_fwddiff<void>((void *)program, enzyme_width, 8, enzyme_dup, input.data(), lanes[0].data(), lanes[1].data(),
                         lanes[2].data(), lanes[3].data(), lanes[4].data(), lanes[5].data(), lanes[6].data(),
                         lanes[7].data(), enzyme_const, 0);
  expect_true(std::memcmp(input.data(), primal.data(), sizeof input) == 0, "the primal keeps its bits", file, line);
  for (std::size_t lane = 0; lane < width; ++lane)
    for (std::size_t i = 0; i < size; ++i)
      expect_near_element(lanes[lane][i], alone[lane][i], 1e-12, "one of eight lanes", i, file, line);
}

template <void (*program)(double *, int)>
void check_layouts(const char *file, int line) {
  Numbers x;
  for (std::size_t i = 0; i < size; ++i)
    x[i] = 0.5 * assay::suites::direction(i);
  for (const Layout &next :
       {Layout{0, 100, 200, 9, 9}, Layout{0, 64, 128, 8, 8}, Layout{130, 65, 0, 8, 7}, Layout{0, 9, 150, 10, 10},
        Layout{0, 1, 2, 11, 11}, Layout{2, 1, 0, 11, 11}, Layout{100, 100, 100, 7, 9}, Layout{5, 40, 100, 2, 17},
        Layout{280, 200, 270, -9, 9}, Layout{0, 10, 20, 0, 9}, Layout{0, 100, 200, 3, 3}, Layout{0, 90, 180, 4, 1},
        Layout{10, 5, 60, 16, 12}, Layout{0, 100, 200, 5, 0}}) {
    layout = next;
    check<program>(x, file, line);
  }
}
#define CHECK_LAYOUTS(program) check_layouts<program>(__FILE__, __LINE__)

} // namespace

PLUGIN_TEST(ManyLanes, ProductsOfMatrices) {
  CHECK_LAYOUTS(product);
}
PLUGIN_TEST(ManyLanes, SumsOfColumnsThatStartInMemory) {
  CHECK_LAYOUTS(scaled_product);
}
PLUGIN_TEST(ManyLanes, RowsThatAreChangedByOthers) {
  CHECK_LAYOUTS(eliminated);
}
PLUGIN_TEST(ManyLanes, NumbersThatAreChangedByOneOfThem) {
  CHECK_LAYOUTS(scaled);
}
PLUGIN_TEST(ManyLanes, NumbersThatAreReadAndOverwritten) {
  CHECK_LAYOUTS(squared);
}
PLUGIN_TEST(ManyLanes, PairsThatAreTurned) {
  CHECK_LAYOUTS(butterflies);
}
PLUGIN_TEST(ManyLanes, Sums) {
  CHECK_LAYOUTS(sums);
}
PLUGIN_TEST(ManyLanes, NumbersThatFollowFromOneAnother) {
  CHECK_LAYOUTS(chain);
}
