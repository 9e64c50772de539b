// The list of preparations: its order fits what its passes need, and a pass that does not keep its word is named.
#include "core/engine/prepare/passes.hpp"
#include "core/test/support/ir.hpp"
#include "core/test/support/ir_tests.hpp"

#include "llvm/Passes/StandardInstrumentations.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

namespace assay::test {
namespace {

using namespace engine;

using StepVisitor = std::function<void(const PrepareStep &)>;
void for_each_step(const StepVisitor &visit) {
  for (const PrepareStage stage : prepare_stages)
    for (const PrepareStep &step : preparations(stage))
      visit(step);
}

TEST(PreparePasses, find_in_the_order_of_the_list_what_they_need) {
  Properties present;
  for_each_step([&](const PrepareStep &step) {
    EXPECT_TRUE(step.pass.needs.without(present).empty()) << step.pass.name.str();
    present = present.without(step.pass.loses);
    if (step.due == Due::always)
      present = present.with(step.pass.leaves);
  });
  EXPECT_EQ(present, prepared_properties());
}

TEST(PreparePasses, leave_what_the_emitters_rely_on) {
  const Properties needed = {
      Property::no_by_value_parameters,  Property::static_stack, Property::no_invoked_allocations,
      Property::own_normal_destinations, Property::no_lifetimes, Property::reducible,
      Property::simplified_loops,        Property::lcssa,        Property::one_return};
  EXPECT_TRUE(needed.without(prepared_properties()).empty());
}

TEST(PreparePasses, have_one_name_each) {
  std::map<std::string, decltype(PreparePass::run)> found;
  for_each_step([&](const PrepareStep &step) {
    const auto [place, is_new] = found.try_emplace(step.pass.name.str(), step.pass.run);
    EXPECT_EQ(place->second, step.pass.run) << step.pass.name.str();
    EXPECT_EQ(find_preparation(step.pass.name)->run, step.pass.run);
  });
  EXPECT_EQ(preparation_names().size(), found.size());
  EXPECT_EQ(find_preparation("no such pass"), nullptr);
}

// core/test/ir/prepare/NAME.ll
TEST(PreparePasses, have_a_file_of_IR_tests_each) {
  EXPECT_EQ(misplaced_ir_tests("prepare", preparation_names()), std::vector<std::string>{});
}

/// @f goes through passes.
struct Prepared {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parsed(R"(
define double @f(double %x) {
  %p = alloca double
  call void @llvm.lifetime.start.p0(ptr %p)
  store double %x, ptr %p
  %y = load double, ptr %p
  ret double %y
})",
                                                context);
  llvm::Function &function = *module->getFunction("f");
  llvm::PassInstrumentationCallbacks callbacks;
  Analyses analyses{llvm::PassBuilder(nullptr, llvm::PipelineTuningOptions(), std::nullopt, &callbacks)};
  FunctionInfo function_info = llvm::cantFail(FunctionInfo::read(*module));
  PrepareContext prepare_context{function_info,
                                 analyses.functions,
                                 [](llvm::Function &) -> llvm::Function * { return nullptr; },
                                 [](const llvm::Function &) { return false; },
                                 own_body,
                                 [](const llvm::Function &) { return std::optional<TypeHints>(); }};
  Preparation preparation{.context = prepare_context, .source = function};

  std::string message_of(const PreparePass &pass) {
    return llvm::toString(run_preparation(pass, function, preparation));
  }
};

llvm::Expected<Effect> do_nothing(llvm::Function &, Preparation &) {
  return Effect::none;
}

TEST(PreparePasses, that_do_not_find_what_they_need_are_named) {
  Prepared prepared;
  EXPECT_EQ(prepared.message_of({.name = "idle", .run = do_nothing, .needs = {Property::no_lifetimes}}),
            "in function 'f': assay-prepare<idle> does not find the property no-lifetimes; this is a fault of the "
            "engine: please report it with the source");
}

TEST(PreparePasses, that_do_not_leave_what_they_say_are_named) {
  Prepared prepared;
  EXPECT_EQ(prepared.message_of({.name = "idle", .run = do_nothing, .leaves = {Property::no_lifetimes}}),
            "in function 'f': assay-prepare<idle> does not leave the property no-lifetimes; this is a fault of the "
            "engine: please report it with the source");
  EXPECT_EQ(prepared.message_of(*find_preparation("lifetimes")), "");
}

TEST(PreparePasses, are_known_to_the_instrumentation_by_their_names) {
  Prepared prepared;
  std::vector<std::string> seen;
  prepared.callbacks.registerAfterPassCallback(
      [&](llvm::StringRef name, llvm::Any, const llvm::PreservedAnalyses &) { seen.push_back(name.str()); });
  EXPECT_FALSE(run_preparations(PrepareStage::inlinable, prepared.function, prepared.preparation));
  EXPECT_EQ(llvm::count(seen, "assay-prepare<lifetimes>"), 1);
  EXPECT_EQ(llvm::count(seen, "assay-prepare<invokes>"), 2);
}

// The list itself has no more places for it, and a copy that moves words has none left where its original took all.
TEST(PreparePasses, simplify_a_function_three_times_at_most) {
  EXPECT_EQ(llvm::count_if(preparations(PrepareStage::inlinable),
                           [](const PrepareStep &step) { return step.pass.name == "simplify"; }),
            most_simplifications);
  for (const unsigned before : {2U, 3U}) {
    Prepared prepared;
    prepared.function.addFnAttr(simplifications_attribute, std::to_string(before));
    EXPECT_EQ(prepared.message_of(*find_preparation("lifetimes")), "");
    prepared.preparation.asks_for_simplification = true;
    unsigned simplifications = 0;
    prepared.callbacks.registerAfterPassCallback([&](llvm::StringRef name, llvm::Any, const llvm::PreservedAnalyses &) {
      simplifications += name == "assay-prepare<simplify>" ? 1 : 0;
    });
    EXPECT_EQ(llvm::toString(run_preparations(PrepareStage::typed, prepared.function, prepared.preparation)), "");
    EXPECT_EQ(simplifications, most_simplifications - before);
  }
}

/// What each property asks for, and code without it.
struct Violation {
  Property property;
  const char *code;
};

TEST(PrepareProperties, are_missed_where_code_lacks_them) {
  const Violation violations[] = {
      {Property::no_computed_gotos, R"(
define void @f(ptr %to) {
  indirectbr ptr %to, [label %a, label %b]
a:
  ret void
b:
  ret void
})"},
      {Property::no_variadic_calls, R"(
define void @v(i32 %n, ...) { ret void }
define void @f() {
  call void (i32, ...) @v(i32 1, double 2.0)
  ret void
})"},
      {Property::no_masked_memory, R"(
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
define <2 x double> @f(ptr %p, <2 x i1> %m) {
  %x = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, <2 x i1> %m, <2 x double> poison)
  ret <2 x double> %x
})"},
      {Property::no_by_value_parameters, "define void @f(ptr byval(double) %p) { ret void }"},
      {Property::static_stack, R"(
define void @f(i64 %n) {
  %p = alloca double, i64 %n
  ret void
})"},
      {Property::no_invoked_allocations, R"(
declare ptr @_Znwm(i64)
declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  %p = invoke ptr @_Znwm(i64 8) to label %on unwind label %pad
on:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
})"},
      {Property::own_normal_destinations, R"(
declare void @g()
declare i32 @__gxx_personality_v0(...)
define void @f(i1 %c) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %call, label %on
call:
  invoke void @g() to label %on unwind label %pad
on:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
})"},
      {Property::no_lifetimes, R"(
define void @f() {
  %p = alloca double
  call void @llvm.lifetime.start.p0(ptr %p)
  ret void
})"},
      {Property::reducible, R"(
define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br label %a
})"},
      {Property::simplified_loops, R"(
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %end
a:
  br i1 %c, label %a, label %end
end:
  ret void
})"},
      {Property::lcssa, R"(
define i64 @f(i1 %c) {
entry:
  br label %a
a:
  %i = phi i64 [ 0, %entry ], [ %next, %a ]
  %next = add i64 %i, 1
  br i1 %c, label %a, label %end
end:
  ret i64 %next
})"},
      {Property::one_return, R"(
define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
})"},
  };
  EXPECT_EQ(std::size(violations), number_of_properties);
  for (const auto &[property, code] : violations) {
    llvm::LLVMContext context;
    const std::unique_ptr<llvm::Module> module = parsed(code, context);
    Analyses analyses;
    const FunctionInfo function_info = llvm::cantFail(FunctionInfo::read(*module));
    for (unsigned index = 0; index < number_of_properties; ++index) {
      const auto other = static_cast<Property>(index);
      const bool several_returns = property == Property::no_computed_gotos && other == Property::one_return;
      EXPECT_EQ(holds(other, *module->getFunction("f"), function_info, analyses.functions),
                other != property && !several_returns)
          << name_of(other).str() << " of code without " << name_of(property).str();
    }
  }
}

} // namespace
} // namespace assay::test
