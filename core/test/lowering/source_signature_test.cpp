#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/spread_parameters.hpp"
#include "core/test/lowering/ir_module.hpp"

namespace assay::engine {
namespace {

using test::IrModule;

std::vector<unsigned> counts(IrModule &ir, const std::string &name) {
  std::vector<unsigned> result;
  for (const SourceParameter &parameter : source_parameters(ir.function(name)))
    result.push_back(parameter.count);
  return result;
}

TEST(SourceSignature, a_struct_that_is_spread_over_two_parameters_is_one_source_parameter) {
  IrModule ir("declare double @_Z1f1Qd(double, double, double)"); // f(Q, double)
  EXPECT_EQ(counts(ir, "_Z1f1Qd"), (std::vector<unsigned>{2, 1}));
}

TEST(SourceSignature, structs_of_the_same_type_take_the_same_number_of_parameters) {
  IrModule ir("declare double @_Z1f1QS_(double, double, double, double)"); // f(Q, Q)
  EXPECT_EQ(counts(ir, "_Z1f1QS_"), (std::vector<unsigned>{2, 2}));
}

TEST(SourceSignature, an_ambiguous_match_leaves_every_parameter_alone) {
  IrModule ir("declare double @_Z1f1Q1R(double, double, double)"); // f(Q, R)
  EXPECT_EQ(counts(ir, "_Z1f1Q1R"), (std::vector<unsigned>{1, 1, 1}));
}

TEST(SourceSignature, c_functions_have_one_source_parameter_each_after_the_hidden_struct) {
  IrModule ir("%S = type { double, double, double }\ndeclare void @f(ptr sret(%S), double, ptr)");
  EXPECT_EQ(counts(ir, "f"), (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(source_parameters(ir.function("f"))[0].first, 1u);
}

const std::string spread = R"(
%Q = type { double, double }
define double @NAME(double %a, double %b, double %c) {
  %q = alloca %Q
  store double %a, ptr %q
  %second = getelementptr inbounds %Q, ptr %q, i32 0, i32 1
  store double %b, ptr %second
  %other = alloca double
  store double %c, ptr %other
  ret double %c
})";

std::string named(std::string text, const std::string &name) {
  return text.replace(text.find("NAME"), 4, name);
}

TEST(SourceSignature, parameters_that_begin_as_parts_of_one_variable_are_one_source_parameter) {
  IrModule ir(named(spread, "f"));
  EXPECT_EQ(counts(ir, "f"), (std::vector<unsigned>{1, 1, 1}));
  note_spread_parameters(ir.module());
  EXPECT_EQ(counts(ir, "f"), (std::vector<unsigned>{2, 1}));
}

TEST(SourceSignature, the_body_tells_which_of_several_matches_is_right) {
  IrModule ir(named(spread, "_Z1f1Q1R")); // f(Q, R)
  note_spread_parameters(ir.module());
  EXPECT_EQ(counts(ir, "_Z1f1Q1R"), (std::vector<unsigned>{2, 1}));
}

TEST(SourceSignature, references_are_told_from_pointers) {
  IrModule ir("declare double @_Z1fRdPd(ptr, ptr)"); // f(double&, double*)
  const auto parameters = source_parameters(ir.function("_Z1fRdPd"));
  EXPECT_TRUE(parameters[0].reference);
  EXPECT_EQ(parameters[0].type, "double");
  EXPECT_FALSE(parameters[1].reference);
}

} // namespace
} // namespace assay::engine
