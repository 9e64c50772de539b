#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/lowering/protect.hpp"
#include "core/test/lowering/ir_module.hpp"

namespace assay::engine {
namespace {

using test::IrModule;

constexpr const char *program = R"(
@enzyme_dup = internal constant i32 7
@enzyme_const = external global i32
@__enzyme_inactivefn_log = internal global [1 x ptr] [ptr @log_it]
define internal i32 @log_it(double %x) alwaysinline { ret i32 3 }
define internal double @f(double %x) { ret double %x }
declare double @__enzyme_autodiff(ptr, ...)
define double @main(ptr %x, ptr %d) {
  %m = load i32, ptr @enzyme_dup
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %m, ptr %x, ptr %d)
  %l = call i32 @log_it(double %r)
  ret double %r
}
)";

void optimise(IrModule &ir) {
  llvm::PassBuilder builder;
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(ir.module(), ir.analyses());
}

TEST(Protect, markers_tables_and_registered_functions_survive_the_optimiser) {
  IrModule ir(program);
  EXPECT_TRUE(protect_convention(ir.module()));
  optimise(ir);
  EXPECT_TRUE(ir.is_valid());
  EXPECT_TRUE(ir.module().getGlobalVariable("__enzyme_inactivefn_log", true));
  const std::string text = ir.text();
  EXPECT_NE(text.find("load i32, ptr @assay.marker.enzyme_dup"), std::string::npos) << text;
  EXPECT_NE(text.find("call i32 @log_it"), std::string::npos) << text;
}

TEST(Protect, what_was_changed_is_put_back) {
  IrModule ir(program);
  protect_convention(ir.module());
  unprotect_convention(ir.module());
  EXPECT_TRUE(ir.function("log_it").hasInternalLinkage());
  EXPECT_TRUE(ir.function("log_it").hasFnAttribute(llvm::Attribute::AlwaysInline));
  EXPECT_FALSE(ir.module().getGlobalVariable("enzyme_const"));
  EXPECT_FALSE(ir.module().getGlobalVariable("assay.marker.enzyme_dup"));
  EXPECT_TRUE(ir.module().getGlobalVariable("enzyme_dup", true)->hasInitializer());
  EXPECT_TRUE(ir.is_valid());
}

TEST(Protect, open_functions_tell_of_memory_and_control_flow) {
  IrModule ir(R"(
@table = global double 0.0
define double @pure(double %x) "enzyme_inactive_noblock" {
  %p = alloca double
  store double %x, ptr %p
  %l = load double, ptr %p
  %r = call double @called(double %l)
  ret double %r
}
define double @called(double %x) { ret double %x }
define double @reads(i32 %n) "enzyme_inactive_noblock" {
  br label %loop
loop:
  %r = load double, ptr @table
  %c = fcmp ogt double %r, 0.0
  br i1 %c, label %loop, label %done
done:
  ret double %r
}
define void @writes(double %x) "enzyme_inactive_noblock" {
  store double %x, ptr @table
  ret void
}
define double @closed(double %x) "enzyme_inactive" { ret double %x }
declare double @__enzyme_autodiff(ptr, ...)
)");
  protect_convention(ir.module());
  const llvm::Function &pure = ir.function("pure"), &reads = ir.function("reads"), &writes = ir.function("writes");
  EXPECT_TRUE(pure.doesNotAccessMemory() && pure.doesNotThrow() && pure.willReturn());
  EXPECT_TRUE(reads.onlyReadsMemory() && !reads.doesNotAccessMemory() && reads.doesNotThrow() && !reads.willReturn());
  EXPECT_TRUE(!writes.onlyReadsMemory() && writes.doesNotThrow() && writes.willReturn());
  EXPECT_TRUE(pure.isInterposable()); // the optimiser does not look through it
  EXPECT_FALSE(ir.function("closed").doesNotAccessMemory());
}

TEST(Protect, a_module_without_the_convention_is_left_alone) {
  IrModule ir("@enzyme_duplicates = global i32 0\ndefine void @f() { ret void }");
  const std::string before = ir.text();
  EXPECT_FALSE(protect_convention(ir.module()));
  EXPECT_EQ(ir.text(), before);
}

} // namespace
} // namespace assay::engine
