// Loops whose adjoints have more sums than a processor has registers, as those of a product of matrices of which one
// extent is known: such a loop may become several, but not where memory overlaps.
#include "support/vector_program.hpp"

namespace {

constexpr int depth = 14, row = 10;
constexpr std::size_t size = 170;

struct Layout {
  int a, b, c, count;
};
Layout layout; // set while the program runs

void product(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double *c = x + l.c;
  for (int j = 0; j < l.count; ++j) {
    double sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += a[k] * b[k * row + j];
    c[j] = 0.2 * sum;
  }
}

/// The number that all sums are made of is also changed.
void scaled_in_place(double *x, int) {
  const Layout l = layout;
  const double *a = x + l.a, *b = x + l.b;
  double *c = x + l.c;
  for (int j = 0; j < l.count; ++j) {
    double sum = c[j];
    for (int k = 0; k < depth; ++k)
      sum += 0.1 * a[k] * b[k * row + j] * c[j];
    c[j] = sum;
  }
}

/// Two matrices one after the other, and where their product goes: into memory of its own, or into the second one.
double squares_of_product(const double *factors, double *product) {
  for (int i = 0; i < depth; ++i)
    for (int j = 0; j < depth; ++j) {
      double sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += factors[i * depth + k] * factors[(depth + k) * depth + j];
      product[i * depth + j] = 0.3 * sum;
    }
  double sum = 0;
  for (int i = 0; i < depth * depth; ++i)
    sum += product[i] * product[i];
  return sum;
}

/// The gradient along some directions against differences; the product lies `distance` behind the factors.
void check_squares(int distance, const char *file, int line) {
  using namespace assay::suites;
  using Memory = Numbers<4 * depth * depth>;
  Memory x, shadow{};
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 0.2 * direction(i);
  Memory input = x;
  hide(input);
  hide(distance);
  __enzyme_autodiff<void>((void *)squares_of_product, enzyme_dup, input.data(), shadow.data(), enzyme_dup,
                          input.data() + distance, shadow.data() + distance);
  for (int way = 0; way < 6; ++way) {
    const auto along = [&](std::size_t i) { return direction(7 * i + std::size_t(way)); };
    const double expected = central_difference([&](double change) {
      Memory moved = x;
      for (std::size_t i = 0; i < x.size(); ++i)
        moved[i] += change * along(i);
      return squares_of_product(moved.data(), moved.data() + distance);
    });
    double found = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      found += shadow[i] * along(i);
    expect_near(found, expected, 1e-7, "gradient along a direction", file, line);
  }
}

template <void (*program)(double *, int)>
void check_layouts(const char *file, int line) {
  assay::suites::Numbers<size> x;
  for (std::size_t i = 0; i < size; ++i)
    x[i] = 0.5 * assay::suites::direction(i);
  for (const Layout &next : {Layout{141, 0, 155, 10}, Layout{150, 10, 0, 10}, Layout{0, 0, 0, 10}, Layout{3, 1, 12, 10},
                             Layout{141, 0, 135, 9}, Layout{0, 16, 157, 3}}) {
    layout = next;
    assay::suites::check_map<program>(x, file, line);
  }
}
#define CHECK_LAYOUTS(program) check_layouts<program>(__FILE__, __LINE__)

} // namespace

PLUGIN_TEST(ManySums, ProductsWithAKnownExtent) {
  CHECK_LAYOUTS(product);
}
PLUGIN_TEST(ManySums, NumbersThatAreScaledInPlace) {
  CHECK_LAYOUTS(scaled_in_place);
}
PLUGIN_TEST(ManySums, ProductsThatMayOverwriteTheirFactors) {
  for (const int distance : {3 * depth * depth, 2 * depth * depth, depth * depth, depth * depth + 3, depth, 1, 0})
    check_squares(distance, __FILE__, __LINE__);
}
