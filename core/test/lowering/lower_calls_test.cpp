// The lowering with derivatives that are only declared: what is asked for, what is passed, what is returned.

#include "core/engine/lowering/lower_calls.hpp"
#include "core/test/lowering/declared_derivatives.hpp"
#include "core/test/lowering/ir_module.hpp"

namespace assay::engine {
namespace {

using test::IrModule;

constexpr const char *prelude = R"(
@enzyme_const = external global i32
@enzyme_dup = external global i32
@enzyme_out = external global i32
@enzyme_width = external global i32
@enzyme_dupv = external global i32
@enzyme_primal_return = external global i32
%S = type { double, double, double }
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare { double, double } @__enzyme_autodiff2(...)
declare <2 x float> @__enzyme_autodiff_floats(...)
declare void @__enzyme_autodiff_s(ptr, ...)
define double @square(double %x) { ret double %x }
define double @product(double %x, double %y) { ret double %x }
define float @productf(float %x, float %y) { ret float %x }
define double @sum(ptr %x, i64 %n) { ret double 0.0 }
define void @triple(ptr sret(%S) %out, double %x) { ret void }
define double @unsupported(double %x) { ret double %x }
)";

struct Lowered {
  std::string text; ///< Of @main.
  std::string errors;
};

Lowered lowered(const std::string &body, const std::string &more = "") {
  IrModule ir(prelude + more + body);
  Lowered result;
  result.errors = test::text_of(lower_calls(ir.module(), ir.analyses(), declare_derivatives));
  EXPECT_TRUE(ir.is_valid()) << ir.text();
  if (llvm::Function *main = ir.module().getFunction("main")) {
    llvm::raw_string_ostream out(result.text);
    main->print(out);
  }
  return result;
}

void expect_contains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
}

TEST(LowerCalls, a_scalar_is_out_in_reverse_and_the_result_is_seeded_with_one) {
  const Lowered result =
      lowered("define double @main(double %x) {\n %r = call double (...) @__enzyme_autodiff(ptr @square, double "
              "%x)\n ret double %r\n}");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "call { double } @reverse.square(double %x, double 1.000000e+00)");
}

TEST(LowerCalls, a_scalar_is_followed_by_its_tangent_in_forward) {
  const Lowered result =
      lowered("define double @main(double %x) {\n %r = call double (...) @__enzyme_fwddiff(ptr @square, double "
              "%x, double 1.0)\n ret double %r\n}");
  expect_contains(result.text, "call { double } @forward.square(double %x, double 1.000000e+00)");
}

TEST(LowerCalls, pointers_are_duplicated_and_integers_constant_and_converted) {
  const Lowered result =
      lowered("define double @main(ptr %x, ptr %d, i32 %n) {\n %r = call double (...) @__enzyme_autodiff(ptr "
              "@sum, ptr %x, ptr %d, i32 %n)\n ret double %r\n}");
  expect_contains(result.text, "%1 = sext i32 %n to i64");
  expect_contains(result.text, "call void @reverse.sum(ptr %x, ptr %d, i64 %1, double 1.000000e+00)");
}

TEST(LowerCalls, markers_override_the_defaults) {
  const Lowered result =
      lowered("define double @main(ptr %x, double %y) {\n %c = load i32, ptr @enzyme_const\n %r = call double "
              "(...) @__enzyme_autodiff(ptr @product, i32 %c, double 2.0, double %y)\n ret double %r\n}");
  expect_contains(result.text, "call { double } @reverse.product(double 2.000000e+00, double %y, double 1.000000e+00)");
}

TEST(LowerCalls, several_gradients_are_a_struct_in_order_whatever_registers_carry_it) {
  const Lowered doubles =
      lowered("define { double, double } @main(double %x) {\n %r = call { double, double } (...) "
              "@__enzyme_autodiff2(ptr @product, double %x, double %x)\n ret { double, double } %r\n}");
  expect_contains(doubles.text, "call { double, double } @reverse.product(");
  const Lowered floats =
      lowered("define <2 x float> @main(double %x) {\n %r = call <2 x float> (...) @__enzyme_autodiff_floats(ptr "
              "@productf, double %x, double %x)\n ret <2 x float> %r\n}");
  EXPECT_EQ(floats.errors, "");
  expect_contains(floats.text, "fptrunc double %x to float");
  expect_contains(floats.text, "insertelement <2 x float>");
}

TEST(LowerCalls, a_struct_behind_a_hidden_pointer_is_written_there) {
  const Lowered forward = lowered(
      "declare void @__enzyme_fwddiff_s(ptr, ...)\ndefine void @main(ptr %out, double %x) {\n call void (ptr, ...) "
      "@__enzyme_fwddiff_s(ptr sret(%S) %out, ptr @triple, double %x, double 1.0)\n ret void\n}");
  EXPECT_EQ(forward.errors, "");
  expect_contains(forward.text, "call void @forward.triple(");
  expect_contains(forward.text, "%out, i64 16");
}

TEST(LowerCalls, width_takes_one_shadow_for_each_lane) {
  const Lowered result = lowered("define { double, double } @main(double %x) {\n %w = load i32, ptr @enzyme_width\n %r "
                                 "= call { double, double } (...) "
                                 "@__enzyme_fwddiff(ptr @square, i32 %w, i32 2, double %x, double 1.0, double 2.0)\n "
                                 "ret { double, double } %r\n}");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "@forward.square.width2(double %x, double 1.000000e+00, double 2.000000e+00)");
}

TEST(LowerCalls, strided_shadows_are_computed_from_base_and_stride) {
  const Lowered result = lowered(
      "define double @main(ptr %x, ptr %d) {\n %w = load i32, ptr @enzyme_width\n %v = load i32, ptr @enzyme_dupv\n %r "
      "= call double "
      "(...) @__enzyme_autodiff(ptr @sum, i32 %w, i32 2, i32 %v, i64 24, ptr %x, ptr %d, i64 3)\n ret double %r\n}");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "getelementptr i8, ptr %d, i64 24");
}

TEST(LowerCalls, the_function_is_found_through_a_wrapper_that_is_called_with_two_functions) {
  const Lowered result =
      lowered("define double @main(double %x) {\n %a = call double @wrapper(ptr @square, double %x)\n %b = call "
              "double @wrapper(ptr @cube, double %x)\n %r = fadd double %a, %b\n ret double %r\n}",
              "define double @cube(double %x) { ret double %x }\ndefine internal double @wrapper(ptr %f, double "
              "%x) {\n %r = call double (...) @__enzyme_autodiff(ptr %f, double %x)\n ret double %r\n}\n");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "@reverse.square(");
  expect_contains(result.text, "@reverse.cube(");
}

TEST(LowerCalls, a_pointer_that_is_only_known_at_run_time_is_compared_with_every_candidate) {
  const Lowered result = lowered("@table = global [3 x ptr] [ptr @square, ptr @cube, ptr @unsupported]\ndefine double "
                                 "@main(ptr %f, double %x) {\n %r = call double (...) "
                                 "@__enzyme_autodiff(ptr %f, double %x)\n ret double %r\n}",
                                 "define double @cube(double %x) { ret double %x }\n");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "icmp eq ptr %f, @square");
  expect_contains(result.text, "icmp eq ptr %f, @cube");
  EXPECT_EQ(result.text.find("@unsupported"), std::string::npos);
  expect_contains(result.text, "call void @abort()");
}

TEST(LowerCalls, an_invoke_stays_one_when_the_derivative_may_throw) {
  const Lowered result = lowered(R"(
declare i32 @__gxx_personality_v0(...)
define double @main(double %x) personality ptr @__gxx_personality_v0 {
  %r = invoke double (...) @__enzyme_autodiff(ptr @square, double %x) to label %good unwind label %bad
good:
  ret double %r
bad:
  %v = phi i32 [ 7, %0 ]
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
})");
  EXPECT_EQ(result.errors, "");
  expect_contains(result.text, "invoke { double } @reverse.square(");
}

TEST(LowerCalls, an_inner_derivative_is_lowered_before_the_function_is_differentiated) {
  IrModule ir(std::string(prelude) + R"(
define double @main(double %x) {
  %r = call double (...) @__enzyme_fwddiff(ptr @gradient, double %x, double 1.0)
  ret double %r
}
define double @gradient(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
})");
  EXPECT_EQ(test::text_of(lower_calls(ir.module(), ir.analyses(), declare_derivatives)), "");
  const std::string text = ir.text();
  EXPECT_LT(text.find("declare { double } @reverse.square"), text.find("declare { double } @forward.gradient")) << text;
}

TEST(LowerCalls, a_wrong_number_of_arguments_is_an_error_that_says_what_was_expected) {
  expect_contains(
      lowered(
          "define double @main(ptr %x) {\n %r = call double (...) @__enzyme_autodiff(ptr @sum, ptr %x)\n ret double "
          "%r\n}")
          .errors,
      "'sum' takes 2 arguments, but the values given to __enzyme_autodiff end before argument 1 is complete");
  expect_contains(
      lowered(
          "define double @main(double %x) {\n %r = call double (...) @__enzyme_autodiff(ptr @square, double %x, double "
          "%x)\n ret double %r\n}")
          .errors,
      "'square' takes 1 argument, but more are given to __enzyme_autodiff");
}

TEST(LowerCalls, a_result_of_another_shape_is_an_error) {
  expect_contains(
      lowered("define double @main(double %x) {\n %r = call double (...) @__enzyme_autodiff(ptr @product, double %x, "
              "double %x)\n ret double %r\n}")
          .errors,
      "the derivative returns 2 values (double, double), but the call is declared to return double");
}

TEST(LowerCalls, every_failing_call_is_reported_and_replaced) {
  const Lowered result =
      lowered("define double @main(double %x, ptr %f) {\n %r = call double (...) @__enzyme_autodiff(ptr "
              "@unsupported, double %x)\n %s = call double (...) @__enzyme_autodiff(ptr @undefined, i32 5)\n ret "
              "double %r\n}",
              "define double @undefined(double %x) { ret double %x }\n");
  expect_contains(result.errors, "in function 'unsupported': it cannot be differentiated; leave it");
  expect_contains(result.errors,
                  "the value of argument 1 of 'undefined' has type i32, which cannot be converted to double");
  EXPECT_EQ(result.text.find("__enzyme"), std::string::npos) << result.text;
}

TEST(LowerCalls, ignored_derivatives_and_type_hints_leave_nothing_behind) {
  const Lowered result =
      lowered("declare double @__enzyme_ignore_derivatives(double)\ndeclare void @__enzyme_double(ptr, i64)\n"
              "define double @main(double %x, ptr %p) {\n call void @__enzyme_double(ptr %p, i64 8)\n %r = call "
              "double @__enzyme_ignore_derivatives(double %x)\n ret double %r\n}");
  expect_contains(result.text, "ret double %x");
  EXPECT_EQ(result.text.find("__enzyme"), std::string::npos) << result.text;
}

} // namespace
} // namespace assay::engine
