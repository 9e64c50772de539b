// The oracle of compiled tests: the function itself, widened by the plugin. Would catch: code that the widened copy
// does not reach, so that finite differences decide where they need not; and code outside that it says nothing of.

#include <assay/testing.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace {

using namespace assay;

const TestOptions precise{.rtol = 1e-14, .atol = 1e-15, .oracle = wide_arithmetic};

std::set<std::string> oracles_of(const testutils::Report &report) {
  std::set<std::string> names;
  for (const testutils::Record &record : report.records)
    names.insert(record.oracle);
  return names;
}

std::set<std::string> reasons_of(const testutils::Report &report) {
  std::set<std::string> reasons;
  for (const testutils::Record &record : report.records)
    reasons.insert(record.oracle_reasons.begin(), record.oracle_reasons.end());
  return reasons;
}

void expect_precise(const testutils::Report &report) {
  EXPECT_GT(report.checked, 0U);
  EXPECT_EQ(report.passed, report.checked);
  EXPECT_EQ(oracles_of(report), std::set<std::string>{"wide arithmetic"}) << testing::PrintToString(reasons_of(report));
}

template <class... A>
void expect_precise_in_both_modes(const A &...call) {
  expect_precise(check_forward_all(precise, call...));
  expect_precise(check_reverse_all(precise, call...));
}

double wave(double x, double y) {
  return std::sin(x) * y + std::exp(x * y);
}
double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}
void scale(std::vector<double> &x, double factor) {
  for (double &element : x)
    element *= factor;
}
void square_all(std::vector<double> &x) {
  for (double &element : x)
    element *= element;
}
std::array<double, 2> two(double x) {
  return {x * x, std::log(x)};
}
void change(double &x, double y) {
  x = x * y + std::sqrt(y);
}

TEST(WideArithmetic, FollowsScalarsAndContainers) {
  expect_precise_in_both_modes(wave, 0.5, 1.25);
  expect_precise_in_both_modes(dot, std::vector<double>{1, 2.5}, std::vector<double>{3, 4.25});
  expect_precise_in_both_modes(two, 3.0);
}

TEST(WideArithmetic, FollowsWhatIsWritten) {
  expect_precise_in_both_modes(scale, std::vector<double>{1, 2.5}, 3.0);
  expect_precise_in_both_modes(square_all, std::vector<double>{1, 2.5});
  expect_precise_in_both_modes(change, 1.5, 2.5);
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
struct Circle : Shape {
  double area(double x) const override { return 3 * x * x; }
};
struct Square : Shape {
  double area(double x) const override { return x * x; }
};

TEST(WideArithmetic, FollowsVirtualCalls) {
  const auto areas = [](double x) {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Circle>());
    shapes.push_back(std::make_unique<Square>());
    double sum = 0;
    for (const auto &shape : shapes)
      sum += shape->area(x) * x;
    return sum;
  };
  expect_precise_in_both_modes(areas, 3.0);
}

TEST(WideArithmetic, FollowsClosuresAndTheLibrarysContainers) {
  const auto closure = [](double x) {
    const std::function<double(double)> by_x = [x](double y) { return x * y * y; };
    return by_x(x) + by_x(2);
  };
  expect_precise_in_both_modes(closure, 3.0);
  const auto lookup = [](double x) {
    std::map<int, double> numbers;
    for (int key = 0; key < 4; ++key)
      numbers[key] = key * x * x;
    return numbers[3] + numbers[2];
  };
  expect_precise_in_both_modes(lookup, 3.0);
}

TEST(WideArithmetic, FollowsStructsAndCaptures) {
  struct Layer {
    std::vector<double> weights;
    long double bias;
  };
  const auto apply = [](const Layer &layer, double x) {
    double sum = static_cast<double>(layer.bias);
    for (const double weight : layer.weights)
      sum += std::tanh(weight * x);
    return sum;
  };
  expect_precise_in_both_modes(apply, Layer{{0.5, -1.5}, 0.25L}, 0.75);
  const double factor = 2.5;
  expect_precise_in_both_modes([factor](double x) { return factor * x * x; }, 0.75);
}

// Its rule is off by 3e-13, less than finite differences can tell.
__attribute__((noinline)) double cosine(double x) {
  return std::cos(x);
}
double inexact_derivative(double x, double dx) {
  return -std::sin(x) * (1 + 3e-13) * dx;
}

TEST(WideArithmetic, FindsWhatFiniteDifferencesCannot) {
  const auto function = [](double x) { return cosine(x); };
  const TestOptions wide{.rtol = 1e-15, .atol = 1e-16, .variations = off, .oracle = wide_arithmetic};
  const TestOptions differences{.rtol = 1e-15, .atol = 1e-16, .variations = off, .oracle = off};
  const testutils::Report report = check_forward<Duplicated>(wide, function, arg<Duplicated>(0.5));
  ASSERT_EQ(report.records.size(), 1U);
  EXPECT_EQ(report.records[0].verdict, testutils::Verdict::wrong_derivative);
  EXPECT_LT(report.records[0].worst.at(0).oracle_error, 1e-15);
  const testutils::Report blind = check_forward<Duplicated>(differences, function, arg<Duplicated>(0.5));
  EXPECT_EQ(blind.failed, 0U);
  EXPECT_EQ(oracles_of(blind), std::set<std::string>{"finite differences"});
}

// What it does outside of the program is constant.
double reads_text(double x) {
  return x * x * std::strtod("2.5", nullptr);
}

TEST(WideArithmetic, NamesWhatItDoesNotFollow) {
  const testutils::Report report = check_forward_all(TestOptions{.oracle = wide_arithmetic}, reads_text, 1.5);
  EXPECT_EQ(report.passed, report.checked);
  EXPECT_EQ(oracles_of(report), std::set<std::string>{"finite differences"});
  EXPECT_EQ(reasons_of(report), std::set<std::string>{"wide arithmetic does not follow a call of strtod"});
}

// A pointer to a function that is handed to the library.
int by_value(const void *left, const void *right) {
  const double a = *static_cast<const double *>(left), b = *static_cast<const double *>(right);
  return a < b ? -1 : (a > b ? 1 : 0);
}

TEST(WideArithmetic, FollowsPointersToFunctions) {
  const auto smallest = [](const std::array<double, 3> &x) {
    std::array<double, 3> sorted = x;
    std::qsort(sorted.data(), sorted.size(), sizeof(double), by_value);
    return sorted[0] * sorted[0];
  };
  expect_precise_in_both_modes(smallest, std::array<double, 3>{2.5, 0.5, 1.5});
  double (*const functions[])(double) = {std::sin, std::exp};
  const auto chosen = [functions](double x) { return functions[x > 1 ? 1 : 0](x); };
  expect_precise(check_forward<Duplicated>(precise, chosen, arg<Duplicated>(0.5)));
}

} // namespace

void *__enzyme_register_derivative_precise_cosine[] = {(void *)cosine, (void *)inexact_derivative};
