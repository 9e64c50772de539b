// Shadows that are no memory (`__enzyme_todense`): Hessians as lists of their entries, unit tangents, gradients in
// maps.
#include "support/plugin_test.hpp"
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_width;
template <class R, class... Arguments>
R __enzyme_autodiff(void *, Arguments...);
template <class R, class... Arguments>
R __enzyme_fwddiff(void *, Arguments...);
template <class T, class... Arguments>
extern T __enzyme_todense(void *, Arguments...);
template <class T, class Load, class Store, class... Arguments>
extern T __enzyme_todense_by_reference(Load &&, Store &&, Arguments &&...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
template <class T>
struct Entry {
  std::size_t row, column;
  T value;
};
struct Pair {
  double first, second;
};
extern Pair __enzyme_fwddiff_pair(void *, ...);

namespace {

template <class T>
using Entries = std::vector<Entry<T>>;

template <class T>
T unit(std::int64_t offset, std::size_t column) {
  return T(offset / std::int64_t(sizeof(T)) == std::int64_t(column));
}
template <class T>
void never(T, std::int64_t, std::size_t) {
  EXPECT_HOLDS(!"a unit tangent is written to");
}
/// Entries are added up, so nothing is there to be read.
template <class T>
T nothing(std::int64_t, std::size_t, Entries<T> &) {
  return 0;
}
template <class T>
void append(T value, std::int64_t offset, std::size_t column, Entries<T> &entries) {
  if (value != 0)
    entries.push_back({offset / sizeof(T), column, value});
}

template <class T, void (*Gradient)(std::size_t, const T *, T *)>
Entries<T> hessian(const std::vector<T> &x) {
  Entries<T> entries;
  for (std::size_t column = 0; column < x.size(); ++column) {
    T *dx = __enzyme_todense<T *>((void *)unit<T>, (void *)never<T>, column);
    T *dg = __enzyme_todense<T *>((void *)nothing<T>, (void *)append<T>, column, &entries);
    __enzyme_fwddiff<void>((void *)Gradient, enzyme_const, x.size(), enzyme_dup, x.data(), dx, enzyme_dupnoneed,
                           (T *)nullptr, dg);
  }
  return entries;
}
template <class T>
std::vector<T> dense(const Entries<T> &entries, std::size_t size) {
  std::vector<T> matrix(size * size);
  for (const Entry<T> &entry : entries)
    matrix[entry.row * size + entry.column] += entry.value;
  return matrix;
}
/// Column by column, with shadows in memory.
template <class T, void (*Gradient)(std::size_t, const T *, T *)>
std::vector<T> expected_hessian(const std::vector<T> &x) {
  const std::size_t size = x.size();
  std::vector<T> matrix(size * size);
  for (std::size_t column = 0; column < size; ++column) {
    std::vector<T> dx(size), g(size), dg(size);
    dx[column] = 1;
    __enzyme_fwddiff<void>((void *)Gradient, enzyme_const, size, enzyme_dup, x.data(), dx.data(), enzyme_dup, g.data(),
                           dg.data());
    for (std::size_t row = 0; row < size; ++row)
      matrix[row * size + column] = dg[row];
  }
  return matrix;
}
template <class T, void (*Gradient)(std::size_t, const T *, T *)>
void expect_right_hessian(const std::vector<T> &x) {
  const std::vector<T> matrix = dense(hessian<T, Gradient>(x), x.size()), expected = expected_hessian<T, Gradient>(x);
  for (std::size_t index = 0; index < matrix.size(); ++index)
    assay::suites::expect_near_element(matrix[index], expected[index], sizeof(T) == 4 ? 2e-6 : 1e-12, "entry", index,
                                       __FILE__, __LINE__);
}

template <class T>
T ring(std::size_t n, const T *x) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += x[i] * x[i] * x[(i + 1) % n];
  return sum;
}
template <class T>
void ring_gradient(std::size_t n, const T *x, T *g) {
  __enzyme_autodiff<void>((void *)ring<T>, enzyme_const, n, enzyme_dup, x, g);
}

struct Point {
  double x, y;
};
/// Each point is read in two turns of the loop, so LLVM keeps the sum of the first for the second.
double springs(std::size_t n, const double *coordinates) {
  const auto *points = (const Point *)coordinates;
  double energy = 0;
  for (std::size_t i = 0; i + 1 < n / 2; ++i) {
    const double dx = points[i + 1].x - points[i].x, dy = points[i + 1].y - points[i].y;
    const double stretch = std::sqrt(dx * dx + dy * dy) - 1;
    energy += stretch * stretch / 2;
  }
  return energy;
}
void spring_forces(std::size_t n, const double *x, double *g) {
  __enzyme_autodiff<void>((void *)springs, enzyme_const, n, enzyme_dup, x, g);
}

void forces_by_hand(std::size_t n, const double *x, double *g) {
  for (std::size_t i = 0; i < n; ++i)
    g[i] = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double force = std::sin(x[i + 1] - x[i]);
    g[i] -= force;
    g[i + 1] += force;
    g[(i + 2) % n] += x[i] * x[i];
  }
}

double read_from(std::size_t offset, std::map<std::size_t, double> &values) {
  const auto found = values.find(offset / sizeof(double));
  return found == values.end() ? 0 : found->second;
}
void write_to(double value, std::size_t offset, std::map<std::size_t, double> &values) {
  values[offset / sizeof(double)] = value;
}
double products(const double *x, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 1; i < n; i += 2)
    sum += std::exp(x[i]) * x[i - 1];
  return sum;
}
void running_squares(const double *x, double *y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    if (i != 0)
      y[i] += y[i - 1];
  }
}
double outer_products(const double *x, int n) {
  return n == 0 ? 0 : x[0] * x[n - 1] + outer_products(x + 1, n - 1);
}

int corner(std::int64_t offset, const int *first) {
  return first[offset / std::int64_t(sizeof(int))];
}
void no_corner(int, std::int64_t, const int *) {}
double area(std::size_t faces, const int *corners, const double *x) {
  double sum = 0;
  for (std::size_t face = 0; face < faces; ++face)
    sum += x[corners[3 * face]] * x[corners[3 * face + 1]] * x[corners[3 * face + 2]];
  return sum;
}

constexpr std::array<double, 6> point{1, .2, .3, .4, .5, .6};
std::array<double, 6> gradient_of_products() {
  std::array<double, 6> gradient{};
  __enzyme_autodiff<void>((void *)products, enzyme_dup, point.data(), gradient.data(), enzyme_const, point.size());
  return gradient;
}
void expect_gradient_of_products(const std::map<std::size_t, double> &found) {
  const std::array<double, 6> expected = gradient_of_products();
  for (std::size_t index = 0; index < expected.size(); ++index)
    EXPECT_CLOSE(found.at(index), expected[index]);
}

} // namespace

PLUGIN_TEST(DensePointers, AreTheHessiansOfDoubles) {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> expected{4, 2, 0, 8, 2, 6, 4, 0, 0, 4, 8, 6, 8, 0, 6, 2};
  EXPECT_HOLDS(dense(hessian<double, ring_gradient<double>>(x), 4) == expected);
}
PLUGIN_TEST(DensePointers, AreTheHessiansOfFloats) {
  expect_right_hessian<float, ring_gradient<float>>({1, 2, 3, 4, 5});
}
PLUGIN_TEST(DensePointers, AreTheHessiansOfStructs) {
  expect_right_hessian<double, spring_forces>({0, 0, 1, .5, 2, -.2, 3.3, .1, 4, 1});
}
PLUGIN_TEST(DensePointers, AreTheSlopesOfGradientsWrittenByHand) {
  expect_right_hessian<double, forces_by_hand>({.1, .7, -.3, .9, .2, 1.4});
}
PLUGIN_TEST(DensePointers, TakeGradients) {
  std::map<std::size_t, double> gradient;
  __enzyme_autodiff<void>((void *)products, enzyme_dup, point.data(),
                          __enzyme_todense_by_reference<double *>(read_from, write_to, gradient), enzyme_const,
                          point.size());
  expect_gradient_of_products(gradient);
}
PLUGIN_TEST(DensePointers, TakeGradientsInSplitMode) {
  std::map<std::size_t, double> gradient;
  double *shadow = __enzyme_todense<double *>((void *)read_from, (void *)write_to, &gradient);
  void *tape = __enzyme_augmentfwd((void *)products, enzyme_dup, point.data(), shadow, enzyme_const, point.size());
  __enzyme_reverse((void *)products, enzyme_dup, point.data(), shadow, enzyme_const, point.size(), 1.0, tape);
  expect_gradient_of_products(gradient);
}
PLUGIN_TEST(DensePointers, AreTangentsOfSeveralLanes) {
  const double *first = __enzyme_todense<double *>((void *)unit<double>, (void *)never<double>, std::size_t(1));
  const double *second = __enzyme_todense<double *>((void *)unit<double>, (void *)never<double>, std::size_t(4));
  const Pair slopes = __enzyme_fwddiff_pair((void *)products, enzyme_width, 2, enzyme_dup, point.data(), first, second,
                                            enzyme_const, point.size());
  EXPECT_CLOSE(slopes.first, gradient_of_products()[1]);
  EXPECT_CLOSE(slopes.second, gradient_of_products()[4]);
}
PLUGIN_TEST(DensePointers, AreAdjointsOfWhatIsOverwritten) {
  std::map<std::size_t, double> dx, dy{{3, 1}};
  double y[5];
  __enzyme_autodiff<void>((void *)running_squares, enzyme_dup, point.data(),
                          __enzyme_todense<double *>((void *)read_from, (void *)write_to, &dx), enzyme_dup, y,
                          __enzyme_todense<double *>((void *)read_from, (void *)write_to, &dy), enzyme_const,
                          std::size_t(5));
  for (std::size_t index = 0; index < 4; ++index)
    EXPECT_CLOSE(dx.at(index), 2 * point[index]);
  EXPECT_SAME(dx[4], 0);
}
PLUGIN_TEST(DensePointers, PassThroughRecursion) {
  std::map<std::size_t, double> gradient;
  __enzyme_autodiff<void>((void *)outer_products, enzyme_dup, point.data(),
                          __enzyme_todense<double *>((void *)read_from, (void *)write_to, &gradient), enzyme_const, 5);
  std::array<double, 5> expected{};
  __enzyme_autodiff<void>((void *)outer_products, enzyme_dup, point.data(), expected.data(), enzyme_const, 5);
  for (std::size_t index = 0; index < expected.size(); ++index) {
    EXPECT_CLOSE(gradient.at(index), expected[index]);
    const double *tangent = __enzyme_todense<double *>((void *)unit<double>, (void *)never<double>, index);
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)outer_products, enzyme_dup, point.data(), tangent, enzyme_const, 5),
                 expected[index]);
  }
}
PLUGIN_TEST(DensePointers, AreIntegersOfThePrimal) {
  const int corners[] = {0, 1, 2, 1, 2, 3, 2, 3, 4};
  const int *computed = __enzyme_todense<const int *>((void *)corner, (void *)no_corner, (const int *)corners);
  EXPECT_CLOSE(area(3, computed, point.data()), area(3, corners, point.data()));
  std::array<double, 5> gradient{}, expected{};
  __enzyme_autodiff<void>((void *)area, enzyme_const, std::size_t(3), enzyme_const, computed, enzyme_dup, point.data(),
                          gradient.data());
  __enzyme_autodiff<void>((void *)area, enzyme_const, std::size_t(3), enzyme_const, corners, enzyme_dup, point.data(),
                          expected.data());
  EXPECT_HOLDS(gradient == expected);
}
PLUGIN_TEST(DensePointers, AreAtNoAddressOfTheProgram) {
  std::map<std::size_t, double> values;
  double *pointer = __enzyme_todense<double *>((void *)read_from, (void *)write_to, &values);
  EXPECT_HOLDS(pointer != nullptr && pointer != point.data());
  EXPECT_HOLDS(pointer + 1 > pointer);
  pointer[2] += 3;
  EXPECT_SAME(pointer[2], 3);
  EXPECT_HOLDS(values.size() == 1);
}
PLUGIN_TEST(UnneededPrimal, IsNotWritten) {
  std::array<double, 6> dx{0, 1, 0, 0, 0, 0}, dg{};
  __enzyme_fwddiff<void>((void *)ring_gradient<double>, enzyme_const, dx.size(), enzyme_dup, point.data(), dx.data(),
                         enzyme_dupnoneed, (double *)1, dg.data());
  EXPECT_CLOSE(dg[0], 2 * point[0]);
  EXPECT_CLOSE(dg[2], 2 * point[1]);
}
PLUGIN_TEST(UnneededPrimal, IsWrittenWhereTheTangentDependsOnIt) {
  std::array<double, 5> y{}, dx{1, 0, 0, 0, 0}, dy{};
  auto scaled = [](const double *x, double *y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = x[i];
      if (i != 0)
        y[i] *= y[i - 1]; // the tangent depends on what was written
    }
  };
  void (*function)(const double *, double *, std::size_t) = scaled;
  __enzyme_fwddiff<void>((void *)function, enzyme_dup, point.data(), dx.data(), enzyme_dupnoneed, y.data(), dy.data(),
                         enzyme_const, y.size());
  EXPECT_CLOSE(dy[4], .2 * .3 * .4 * .5);
}
