#include "core/engine/support/function_info.hpp"
#include "core/test/lowering/ir_module.hpp"

namespace assay::engine {
namespace {

using test::IrModule;

std::string functions_f_a_r = R"(
define double @f(double %x) { ret double %x }
define ptr @a(double %x) { ret ptr null }
define double @r(double %x, double %s, ptr %t) { ret double %s }
)";

FunctionInfo function_info_of(IrModule &ir) {
  return llvm::cantFail(FunctionInfo::read(ir.module()));
}

std::string error_of(const std::string &text) {
  IrModule ir(functions_f_a_r + text);
  llvm::Expected<FunctionInfo> function_info = FunctionInfo::read(ir.module());
  return function_info ? "" : test::text_of(function_info.takeError());
}

TEST(FunctionInfo, a_gradient_table_gives_a_rule) {
  IrModule ir(functions_f_a_r + "@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @a, ptr @r]");
  const FunctionInfo function_info = function_info_of(ir);
  const UserRule *rule = function_info.rule(ir.function("f"));
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->augmented, &ir.function("a"));
  EXPECT_EQ(rule->reverse, &ir.function("r"));
  EXPECT_EQ(rule->forward, nullptr);
  EXPECT_TRUE(function_info.keeps_call(ir.function("f")));
  EXPECT_FALSE(function_info.keeps_call(ir.function("a")));
}

TEST(FunctionInfo, a_mangled_static_table_of_a_struct_with_aliases_and_casts_is_read) {
  IrModule ir(functions_f_a_r + R"(
@other = alias double (double), ptr @f
@_ZL30__enzyme_register_derivative_f = internal constant { ptr, i64 } { ptr @other, i64 ptrtoint (ptr @r to i64) }
)");
  const FunctionInfo function_info = function_info_of(ir);
  ASSERT_TRUE(function_info.rule(ir.function("f")));
  EXPECT_EQ(function_info.rule(ir.function("f"))->forward, &ir.function("r"));
}

TEST(FunctionInfo, forward_and_reverse_tables_of_one_function_are_one_rule) {
  IrModule ir(functions_f_a_r + R"(
@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @a, ptr @r]
@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @r]
)");
  const FunctionInfo function_info = function_info_of(ir);
  EXPECT_EQ(function_info.rule(ir.function("f"))->forward, &ir.function("r"));
  EXPECT_EQ(function_info.rule(ir.function("f"))->augmented, &ir.function("a"));
}

TEST(FunctionInfo, a_table_that_is_filled_by_a_dynamic_initialiser_is_read) {
  IrModule ir(functions_f_a_r + R"(
@__enzyme_register_gradient_f = internal global [3 x ptr] zeroinitializer
define internal ptr @conversion() { ret ptr @r }
define internal void @__cxx_global_var_init() {
  %converted = call ptr @conversion()
  store ptr @f, ptr @__enzyme_register_gradient_f
  store ptr @a, ptr getelementptr inbounds (ptr, ptr @__enzyme_register_gradient_f, i64 1)
  store ptr %converted, ptr getelementptr inbounds ([3 x ptr], ptr @__enzyme_register_gradient_f, i64 0, i64 2)
  ret void
}
)");
  const FunctionInfo function_info = function_info_of(ir);
  ASSERT_TRUE(function_info.rule(ir.function("f")));
  EXPECT_EQ(function_info.rule(ir.function("f"))->reverse, &ir.function("r"));
}

TEST(FunctionInfo, inactive_functions_and_globals_are_registered_as_scalar_or_array) {
  IrModule ir(functions_f_a_r + R"(
@state = global double 0.0
@__enzyme_inactivefn_f = global ptr @f
@__enzyme_inactive_global_state = global [1 x ptr] [ptr @state]
)");
  const FunctionInfo function_info = function_info_of(ir);
  EXPECT_TRUE(function_info.is_inactive(ir.function("f")));
  EXPECT_FALSE(function_info.is_inactive(ir.function("a")));
  EXPECT_TRUE(function_info.is_inactive_global(*ir.module().getGlobalVariable("state")));
}

TEST(FunctionInfo, a_global_has_the_shadows_of_its_table_in_order) {
  IrModule ir(R"(
@table = global [4 x double] zeroinitializer
@first = global [4 x double] zeroinitializer
@second = global [4 x double] zeroinitializer
@__enzyme_shadow_global_table = global [3 x ptr] [ptr @table, ptr @first, ptr @second]
)");
  const FunctionInfo function_info = function_info_of(ir);
  const auto shadows = function_info.registered_shadows(*ir.module().getGlobalVariable("table"));
  ASSERT_EQ(shadows.size(), 2U);
  EXPECT_EQ(shadows[1], ir.module().getGlobalVariable("second"));
  EXPECT_TRUE(function_info.registered_shadows(*ir.module().getGlobalVariable("first")).empty());
}

TEST(FunctionInfo, a_function_can_be_like_a_library_function) {
  IrModule ir(functions_f_a_r + R"(
@name = private constant [6 x i8] c"log1p\00"
@__enzyme_function_like_f = global [2 x ptr] [ptr @f, ptr @name]
declare double @sin(double)
)");
  const FunctionInfo function_info = function_info_of(ir);
  EXPECT_EQ(function_info.library_name(ir.function("f")), "log1p");
  EXPECT_EQ(function_info.library_name(ir.function("sin")), "sin");
  EXPECT_EQ(function_info.library_name(ir.function("a")), "");
}

TEST(FunctionInfo, an_allocator_has_its_size_argument_and_the_way_to_release) {
  IrModule ir(functions_f_a_r + R"(
@list = private constant [5 x i8] c"-1,0\00"
declare ptr @take(i32, i64)
declare void @give(ptr, i32)
@__enzyme_allocation_like_take = global [4 x ptr] [ptr @take, ptr inttoptr (i64 1 to ptr), ptr @list, ptr @give]
)");
  const FunctionInfo function_info = function_info_of(ir);
  const UserAllocator *allocator = function_info.allocator(ir.function("take"));
  ASSERT_TRUE(allocator);
  EXPECT_EQ(allocator->size_argument, 1u);
  EXPECT_EQ(allocator->release_arguments, (llvm::SmallVector<int, 2>{-1, 0}));
  EXPECT_EQ(allocator->release, &ir.function("give"));
}

TEST(FunctionInfo, annotations_and_attributes_say_the_same_as_tables) {
  IrModule ir(functions_f_a_r + R"(
@text = private constant [16 x i8] c"enzyme_inactive\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @text, ptr @file, i32 1, ptr null }], section "llvm.metadata"
declare double @like(double) "enzyme_math"="sin"
)");
  const FunctionInfo function_info = function_info_of(ir);
  EXPECT_TRUE(function_info.is_inactive(ir.function("f")));
  EXPECT_EQ(function_info.library_name(ir.function("like")), "sin");
}

TEST(FunctionInfo, library_functions_of_output_are_inactive_but_not_a_users_own_of_that_name) {
  IrModule ir(R"(
declare i32 @printf(ptr, ...)
declare ptr @_ZNSolsEd(ptr, double)
declare double @sin(double)
define double @time(double %x) { ret double %x }
)");
  const FunctionInfo function_info = function_info_of(ir);
  EXPECT_TRUE(function_info.is_inactive(ir.function("printf")));
  EXPECT_TRUE(function_info.is_inactive(ir.function("_ZNSolsEd")));
  EXPECT_FALSE(function_info.is_inactive(ir.function("sin")));
  EXPECT_FALSE(function_info.is_inactive(ir.function("time")));
}

TEST(FunctionInfo, a_malformed_table_is_an_error_that_names_it) {
  EXPECT_EQ(
      error_of("@__enzyme_register_gradient_f = global [2 x ptr] [ptr @f, ptr @a]"),
      "registration table '__enzyme_register_gradient_f': it has 2 entries, but needs 3: the function, its augmented "
      "forward pass, its reverse pass");
  EXPECT_EQ(
      error_of("@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr null]"),
      "registration table '__enzyme_register_derivative_f': entry 1 is not a function that is known when compiling");
  EXPECT_EQ(error_of("@__enzyme_function_like_f = global [2 x ptr] [ptr @f, ptr @a]"),
            "registration table '__enzyme_function_like_f': entry 1 is not a string");
}

} // namespace
} // namespace assay::engine
