// Functions that are templates are their own oracle, in wide numbers.

#include <assay/testing/wide_numbers.hpp>

#include <cmath>

namespace {

using namespace assay;

std::string oracles_of(const testutils::Report &report) {
  std::string text;
  for (const testutils::Record &record : report.records)
    text += record.oracle + ";";
  return text;
}

// Its rule is off by 3e-13, less than finite differences can tell.
__attribute__((noinline)) double cosine(double x) {
  return std::cos(x);
}
double inexact_derivative(double x, double dx) {
  return -std::sin(x) * (1 + 3e-13) * dx;
}
template <class T>
T cosine(T x) {
  return cos(x);
}

TEST(WideNumbers, DecideWhereFiniteDifferencesCannot) {
  const auto function = [](auto x) { return cosine(x); };
  const TestOptions wide{.rtol = 1e-15, .atol = 1e-16, .variations = off, .oracle = wide_numbers};
  const TestOptions differences{.rtol = 1e-15, .atol = 1e-16, .variations = off, .oracle = off};
  const testutils::Report report = check_forward<Duplicated>(wide, function, arg<Duplicated>(0.5));
  EXPECT_EQ(check_forward<Duplicated>(differences, function, arg<Duplicated>(0.5)).failed, 0U);
  ASSERT_EQ(report.records.size(), 1U);
  EXPECT_EQ(report.records[0].verdict, testutils::Verdict::wrong_derivative);
  EXPECT_EQ(report.records[0].oracle, "wide arithmetic");
  EXPECT_LT(report.records[0].worst.at(0).oracle_error, 1e-15);
}

TEST(WideNumbers, ScalarsContainersAndOutputs) {
  const auto norm = [](const auto &x, auto factor) {
    using std::sqrt;
    auto sum = factor * 0;
    for (const auto &element : x)
      sum += element * element;
    return factor * sqrt(sum);
  };
  const TestOptions options{.rtol = 1e-13, .atol = 1e-14, .variations = off, .oracle = wide_numbers};
  const testutils::Report report = check_reverse_all(options, norm, std::vector<double>{0.5, -1.25, 2}, 1.5);
  EXPECT_EQ(report.passed, report.checked);
  EXPECT_EQ(oracles_of(report), "wide arithmetic;wide arithmetic;wide arithmetic;");

  const auto scale = [](auto &x, const auto &y) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] *= y[i];
  };
  const testutils::Report changed =
      check_forward_all(options, scale, std::vector<double>{0.5, -1.25}, std::array<double, 2>{3, 4});
  EXPECT_EQ(changed.passed, changed.checked);
  EXPECT_GT(changed.checked, 0U);
}

TEST(WideNumbers, AtAKinkAndForOtherTypesFiniteDifferencesDecide) {
  const TestOptions options{.variations = off, .oracle = wide_numbers};
  const auto kink = [](auto x) {
    using std::abs;
    return abs(x);
  };
  EXPECT_EQ(check_reverse_all(options, kink, 0.0).failed, 0U);
  EXPECT_EQ(oracles_of(check_reverse_all(options, kink, 0.0)), "finite differences;");
  const auto of_struct = [](const std::pair<double, double> &x) { return x.first * x.second; };
  const testutils::Report report = check_reverse_all(options, of_struct, std::pair{2.0, 3.0});
  EXPECT_EQ(report.passed, 1U);
  EXPECT_EQ(oracles_of(report), "finite differences;");
  EXPECT_EQ(report.records.front().oracle_reasons,
            (std::vector<std::string>{"wide arithmetic does not follow a type that is not made of wide numbers"}));
}

} // namespace

void *__enzyme_register_derivative_cosine[] = {(void *)static_cast<double (*)(double)>(cosine),
                                               (void *)inexact_derivative};
