#include "core/engine/support/constant_resolution.hpp"
#include "core/test/lowering/ir_module.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {
namespace {

using test::IrModule;

/// What the argument of the call of @use resolves to; its name, or "" for nothing.
std::string resolved(const std::string &text) {
  IrModule ir("declare void @use(ptr)\ndeclare void @escape(ptr)\ndefine void @f() { ret void }\ndefine void @g() { "
              "ret void }\n" +
              text);
  for (llvm::Function &function : ir.module())
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction()->getName() == "use")
        if (llvm::Constant *constant = resolve_constant(call->getArgOperand(0)))
          return constant->getName().str();
  return "";
}

TEST(ConstantResolution, a_stack_slot_that_is_written_once_has_one_value) {
  EXPECT_EQ(
      resolved(
          "define void @main() {\n %s = alloca ptr\n store ptr @f, ptr %s\n %p = load ptr, ptr %s\n call void @use(ptr "
          "%p)\n ret void\n}"),
      "f");
}

TEST(ConstantResolution, a_stack_slot_that_is_written_with_two_values_has_none) {
  EXPECT_EQ(
      resolved(
          "define void @main() {\n %s = alloca ptr\n store ptr @f, ptr %s\n store ptr @g, ptr %s\n %p = load ptr, ptr "
          "%s\n call void @use(ptr %p)\n ret void\n}"),
      "");
}

TEST(ConstantResolution, a_stack_slot_whose_address_is_given_away_has_none) {
  EXPECT_EQ(
      resolved(
          "define void @main() {\n %s = alloca ptr\n store ptr @f, ptr %s\n call void @escape(ptr %s)\n %p = load ptr, "
          "ptr %s\n call void @use(ptr %p)\n ret void\n}"),
      "");
}

TEST(ConstantResolution, phis_and_selects_of_one_value_are_that_value) {
  EXPECT_EQ(resolved("define void @main(i1 %c) {\n br i1 %c, label %a, label %b\na:\n br label %b\nb:\n %p = phi ptr "
                     "[@f, %0], [@f, "
                     "%a]\n %q = select i1 %c, ptr %p, ptr @f\n call void @use(ptr %q)\n ret void\n}"),
            "f");
  EXPECT_EQ(
      resolved("define void @main(i1 %c) {\n %q = select i1 %c, ptr @g, ptr @f\n call void @use(ptr %q)\n ret void\n}"),
      "");
}

TEST(ConstantResolution, constant_globals_and_small_functions_are_looked_into) {
  EXPECT_EQ(resolved("@t = constant [2 x ptr] [ptr @g, ptr @f]\ndefine void @main() {\n %p = load ptr, ptr "
                     "getelementptr ([2 x ptr], "
                     "ptr @t, i64 0, i64 1)\n call void @use(ptr %p)\n ret void\n}"),
            "f");
  EXPECT_EQ(
      resolved("define internal ptr @conversion() {\n %s = alloca ptr\n store ptr @f, ptr %s\n %p = load ptr, ptr %s\n "
               "ret ptr "
               "%p\n}\ndefine void @main() {\n %p = call ptr @conversion()\n call void @use(ptr %p)\n ret void\n}"),
      "f");
}

TEST(ConstantResolution, a_global_that_may_change_has_no_value) {
  EXPECT_EQ(
      resolved(
          "@t = global ptr @f\ndefine void @main() {\n %p = load ptr, ptr @t\n call void @use(ptr %p)\n ret void\n}"),
      "");
}

} // namespace
} // namespace assay::engine
