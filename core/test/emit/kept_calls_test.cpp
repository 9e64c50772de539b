// Calls whose results are on the tape are not made again.
#include "core/engine/emit/kept_calls.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>
#include <memory>

namespace assay::test {
namespace {

class KeptCallsTest : public ::testing::Test {
protected:
  void parse(const char *text) { module = parsed(text, context); }

  llvm::Instruction &named(const char *name) {
    for (llvm::Instruction &instruction : llvm::instructions(*module->getFunction("f")))
      if (instruction.getName() == name)
        return instruction;
    throw std::runtime_error(std::string("there is no ") + name);
  }

  unsigned calls() {
    unsigned count = 0;
    for (llvm::Instruction &instruction : llvm::instructions(*module->getFunction("f")))
      count += llvm::isa<llvm::CallInst>(instruction);
    return count;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

TEST_F(KeptCallsTest, a_call_of_a_read_argument_becomes_the_read_of_its_result) {
  parse(R"(
    declare double @llvm.cos.f64(double)
    define double @f(ptr %tape) {
      %x = load double, ptr %tape
      %place = getelementptr i8, ptr %tape, i64 8
      %kept = load double, ptr %place
      %again = call double @llvm.cos.f64(double %x)
      %sum = fadd double %again, %x
      ret double %sum
    })");
  engine::KeptCalls kept;
  kept.note(llvm::cast<llvm::LoadInst>(named("x")), llvm::cast<llvm::LoadInst>(named("kept")),
            *module->getFunction("llvm.cos.f64"));
  kept.replace_calls();
  EXPECT_EQ(calls(), 0U);
  EXPECT_EQ(named("sum").getOperand(0), &named("kept"));
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
}

TEST_F(KeptCallsTest, calls_of_other_functions_stay) {
  parse(R"(
    declare double @llvm.cos.f64(double)
    declare double @llvm.sin.f64(double)
    define double @f(ptr %tape) {
      %x = load double, ptr %tape
      %place = getelementptr i8, ptr %tape, i64 8
      %kept = load double, ptr %place
      %other = call double @llvm.sin.f64(double %x)
      ret double %other
    })");
  engine::KeptCalls kept;
  kept.note(llvm::cast<llvm::LoadInst>(named("x")), llvm::cast<llvm::LoadInst>(named("kept")),
            *module->getFunction("llvm.cos.f64"));
  kept.replace_calls();
  EXPECT_EQ(calls(), 1U);
}

} // namespace
} // namespace assay::test
