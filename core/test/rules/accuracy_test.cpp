// Every function of the reference table, in every family and precision that has it: the emitted products agree with
// fifty-digit differences to a few units in the last place. Catches wrong signs, dropped terms, wrong constants,
// expressions that cancel or lose a type's precision.

#include "core/test/rules/reference.hpp"
#include "core/test/rules/rule_program.hpp"
#include <cmath>
#include <gtest/gtest.h>

namespace assay::test {
namespace {

struct Precision {
  const char *type;
  long double epsilon;
};
constexpr Precision precisions[] = {{"float", 0x1p-24L}, {"double", 0x1p-53L}, {"x86_fp80", 0x1p-64L}};

struct Case {
  std::string function, family, type;
  long double epsilon;
};

std::ostream &operator<<(std::ostream &out, const Case &tried) {
  return out << tried.function << ' ' << tried.family << ' ' << tried.type;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const ReferenceFunction &function : reference_functions())
    for (const Precision &precision : precisions) {
      if (function.name != "powi")
        cases.push_back({function.name, "libm", precision.type, precision.epsilon});
      if (has_intrinsic(function))
        cases.push_back({function.name, "intrinsic", precision.type, precision.epsilon});
    }
  return cases;
}

class EveryRule : public testing::TestWithParam<Case> {};

/// Parameters in the order of the call.
std::vector<Lanes> arguments_of(const ReferenceFunction &function, const std::vector<long double> &point, int integer) {
  std::vector<Lanes> arguments;
  arguments.reserve(point.size() + 1);
  for (long double coordinate : point)
    arguments.push_back({coordinate});
  if (!function.integers.empty())
    arguments.insert(function.integer_comes_first ? arguments.begin() : arguments.end(),
                     {static_cast<long double>(integer)});
  return arguments;
}

void check_point(RuleProgram &program, const ReferenceFunction &function, const std::vector<long double> &point,
                 int integer, long double epsilon) {
  for (unsigned index = 0; index < point.size(); ++index) {
    const unsigned operand = index + (function.integer_comes_first ? 1 : 0);
    const long double actual = program.product(operand, arguments_of(function, point, integer), {1.0L}).front();
    const ExpectedPartial expected = expected_partial(function, point, integer, index);
    const long double allowed = tolerance(function, expected, epsilon);
    EXPECT_LE(std::abs(actual - expected.value), allowed)
        << "partial " << index << " at " << testing::PrintToString(point) << ", integer " << integer << ": " << actual
        << " instead of " << expected.value << ", off by " << (actual - expected.value) / epsilon << " of "
        << allowed / epsilon;
  }
}

TEST_P(EveryRule, AgreesWithFiftyDigitDifferences) {
  const ReferenceFunction &function = reference_function(GetParam().function);
  const Spelled spelled =
      GetParam().family == "libm" ? spell_libm(function, GetParam().type) : spell_intrinsic(function, GetParam().type);
  RuleProgram program(spelled.parameters, spelled.instruction, spelled.declarations);
  ASSERT_TRUE(program.has_rule());
  for (unsigned sample = 0; sample < function.samples; ++sample) {
    const std::vector<long double> point = sample_point(function, sample);
    const int integer = function.integers.empty() ? 0 : function.integers[sample % function.integers.size()];
    check_point(program, function, point, integer, GetParam().epsilon);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, testing::ValuesIn(all_cases()), [](const auto &info) {
  return info.param.function + "_" + info.param.family + "_" + info.param.type;
});

} // namespace
} // namespace assay::test
