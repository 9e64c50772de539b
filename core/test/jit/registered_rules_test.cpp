// Would catch: a rule that is registered and never used, and a rule that is used and not named.

#include "core/jit/module_file.hpp"
#include "core/jit/registered_rules.hpp"
#include "core/test/jit/scratch_file.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using assay::test::ScratchFile;

constexpr const char *source = R"(
double sine(double); double sine_tangent(double x, double dx) { return dx; }
double cube(double x) { return x * x * x; }
void *cube_augmented(double x) { return 0; }
double cube_reverse(double x, double seed, void *tape) { return 3 * x * x * seed; }
void *__enzyme_register_derivative_sine[] = {(void *)sine, (void *)sine_tangent};
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_reverse};
double inner(double x) { return cube(x); }
double uses_cube(double x) { return inner(x) + x; }
double uses_pointer(double x) { double (*volatile f)(double) = cube; return f(x); }
double uses_none(double x) { return x; }
)";

class RegisteredRules : public testing::Test {
protected:
  std::vector<RegisteredRule> rules_for(const char *function) const {
    return registered_rules(file_.module(), file_.function(function).linkage_name);
  }
  static const RegisteredRule &rule_of(const std::vector<RegisteredRule> &rules, std::string_view function) {
    return *std::find_if(rules.begin(), rules.end(),
                         [&](const RegisteredRule &rule) { return rule.function == function; });
  }

private:
  ScratchFile scratch_{"f.c", source};
  ModuleFile file_{scratch_.path, {}};
};

TEST_F(RegisteredRules, NameTheirFunctionTheirPartsAndTheirTable) {
  const std::vector<RegisteredRule> rules = rules_for("uses_cube");
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(describe(rule_of(rules, "cube")),
            "cube: cube_augmented and cube_reverse, registered by __enzyme_register_gradient_cube");
  EXPECT_EQ(rule_of(rules, "cube").mode, Mode::reverse);
  EXPECT_EQ(rule_of(rules, "sine").mode, Mode::forward);
}

TEST_F(RegisteredRules, AreReachedThroughCallsAndPointers) {
  for (const char *function : {"uses_cube", "uses_pointer", "cube"})
    EXPECT_TRUE(rule_of(rules_for(function), "cube").is_reached) << function;
  EXPECT_FALSE(rule_of(rules_for("uses_none"), "cube").is_reached);
  EXPECT_FALSE(rule_of(rules_for("uses_cube"), "sine").is_reached);
}

TEST_F(RegisteredRules, CanBeLeftOutWhereTheFunctionHasABody) {
  EXPECT_TRUE(rule_of(rules_for("uses_cube"), "cube").has_body);
  EXPECT_FALSE(rule_of(rules_for("uses_cube"), "sine").has_body);
}

} // namespace
