#include "core/test/rules/reference.hpp"
#include "scalar/scalar_case.hpp"
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace assay::suites {
namespace {

using test::ReferenceFunction;

long double epsilon_of(const std::string &precision) {
  return precision == "float" ? 0x1p-24L : precision == "double" ? 0x1p-53L : 0x1p-64L;
}

void check_partial(const ScalarCase &tried, const char *mode, const ReferenceFunction &function,
                   const std::vector<long double> &point, int integer, unsigned index, long double actual) {
  const long double epsilon = epsilon_of(tried.precision);
  const auto expected = test::expected_partial(function, point, integer, index);
  const long double allowed = test::tolerance(function, expected, epsilon);
  EXPECT_LE(std::abs(actual - expected.value), allowed)
      << mode << ": partial " << index << " at " << testing::PrintToString(point) << ", integer " << integer << " is "
      << actual << " instead of " << expected.value << ", off by " << (actual - expected.value) / epsilon << " of "
      << allowed / epsilon << " units of the precision";
}

class ScalarTest : public testing::Test {
public:
  explicit ScalarTest(const ScalarCase &tried) : tried_(tried) {}
  void TestBody() override {
    const ReferenceFunction &function = test::reference_function(tried_.function);
    for (unsigned sample = 0; sample < function.samples; ++sample) {
      const std::vector<long double> point = test::sample_point(function, sample);
      const int integer = function.integers.empty() ? 0 : function.integers[sample % function.integers.size()];
      check_mode("reverse", tried_.reverse, function, point, integer);
      check_mode("forward", tried_.forward, function, point, integer);
    }
  }

private:
  void check_mode(const char *mode, PartialsFunction evaluate, const ReferenceFunction &function,
                  const std::vector<long double> &point, int integer) const {
    long double partials[3];
    evaluate(point.data(), integer, partials);
    for (unsigned index = 0; index < point.size(); ++index)
      check_partial(tried_, mode, function, point, integer, index, partials[index]);
  }

  ScalarCase tried_;
};

} // namespace

ScalarRegistration::ScalarRegistration(const ScalarCase &registered) {
  const std::string name = std::string(registered.function) + "_" + registered.precision;
  testing::RegisterTest("Scalar", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [registered]() -> testing::Test * { return new ScalarTest(registered); });
}

} // namespace assay::suites
