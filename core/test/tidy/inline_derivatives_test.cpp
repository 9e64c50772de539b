// What happens to derivatives once all are written: they become part of their callers where that pays, and stay whole
// otherwise.
#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace assay::test {
namespace {

/// A module after the pass.
class Inlined {
public:
  explicit Inlined(const std::string &text) : module(parsed(text, context)) {
    llvm::ModulePassManager passes;
    passes.addPass(engine::InlineDerivativesPass());
    Analyses analyses;
    passes.run(*module, analyses.modules);
    if (llvm::verifyModule(*module, &llvm::errs()))
      throw std::runtime_error("the module is broken");
  }

  unsigned calls_in(const std::string &function) const {
    unsigned count = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(*module->getFunction(function)))
      count += llvm::isa<llvm::CallInst>(instruction) ? 1 : 0;
    return count;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

const std::string small_derivative = R"(
  define internal double @diffe.square(double %x, double %seed) #0 {
    %slope = fmul double %x, 2.0
    %result = fmul double %slope, %seed
    ret double %result
  }
  attributes #0 = { nounwind "assay-derivative" }
)";

TEST(InlineDerivatives, a_small_derivative_becomes_part_of_its_caller_and_is_removed) {
  const Inlined result(small_derivative + R"(
    define double @caller(double %x) {
      %result = call double @diffe.square(double %x, double 1.0)
      ret double %result
    })");
  EXPECT_EQ(result.calls_in("caller"), 0U);
  EXPECT_EQ(result.module->getFunction("diffe.square"), nullptr);
}

TEST(InlineDerivatives, functions_that_are_not_to_be_optimised_keep_their_calls) {
  const Inlined result(small_derivative + R"(
    define double @caller(double %x) noinline optnone {
      %result = call double @diffe.square(double %x, double 1.0)
      ret double %result
    })");
  EXPECT_EQ(result.calls_in("caller"), 1U);
}

/// As a part of its caller it would be simplified a second time, which is most of what the pass costs.
TEST(InlineDerivatives, a_large_derivative_stays_a_function) {
  std::string body = "%v0 = fmul double %x, %seed\n";
  for (int i = 1; i < 1000; ++i)
    body += "%v" + std::to_string(i) + " = fmul double %v" + std::to_string(i - 1) + ", %x\n";
  const Inlined result("define internal double @diffe.power(double %x, double %seed) #0 {\n" + body + R"(
      ret double %v999
    }
    define double @caller(double %x) {
      %result = call double @diffe.power(double %x, double 1.0)
      ret double %result
    }
    attributes #0 = { nounwind "assay-derivative" })");
  EXPECT_EQ(result.calls_in("caller"), 1U);
}

TEST(InlineDerivatives, functions_of_the_user_are_not_inlined) {
  const Inlined result(small_derivative + R"(
    define double @mine(double %x) {
      %more = fadd double %x, 1.0
      ret double %more
    }
    define double @caller(double %x) {
      %y = call double @mine(double %x)
      %result = call double @diffe.square(double %y, double 1.0)
      ret double %result
    })");
  EXPECT_EQ(result.calls_in("caller"), 1U);
}

TEST(InlineDerivatives, a_recursive_derivative_stays_a_function) {
  const Inlined result(R"(
    define internal double @diffe.power(double %x, i64 %n) #0 {
      %done = icmp eq i64 %n, 0
      br i1 %done, label %end, label %more
    more:
      %less = sub i64 %n, 1
      %rest = call double @diffe.power(double %x, i64 %less)
      %product = fmul double %rest, %x
      ret double %product
    end:
      ret double 1.0
    }
    define double @caller(double %x, i64 %n) {
      %result = call double @diffe.power(double %x, i64 %n)
      ret double %result
    }
    attributes #0 = { "assay-derivative" })");
  EXPECT_NE(result.module->getFunction("diffe.power"), nullptr);
}

TEST(InlineDerivatives, a_derivative_whose_address_is_taken_stays) {
  const Inlined result(small_derivative + R"(
    @pair = global ptr @diffe.square
    define double @caller(double %x) {
      %result = call double @diffe.square(double %x, double 1.0)
      ret double %result
    })");
  EXPECT_NE(result.module->getFunction("diffe.square"), nullptr);
}

TEST(InlineDerivatives, callers_learn_what_a_derivative_does_to_memory) {
  const Inlined result(R"(
    define internal void @diffe.f(ptr %x, ptr %dx) noinline #0 {
      %value = load double, ptr %x
      %before = load double, ptr %dx
      %after = fadd double %before, %value
      store double %after, ptr %dx
      ret void
    }
    define void @caller(ptr %x, ptr %dx) {
      call void @diffe.f(ptr %x, ptr %dx)
      ret void
    }
    attributes #0 = { "assay-derivative" })");
  const llvm::Function &derivative = *result.module->getFunction("diffe.f");
  EXPECT_TRUE(derivative.onlyAccessesArgMemory());
  EXPECT_TRUE(derivative.getArg(0)->onlyReadsMemory());
}

TEST(InlineDerivatives, a_module_without_derivatives_is_left_alone) {
  const Inlined result(R"(
    define internal double @mine(double %x) {
      ret double %x
    }
    define double @caller(double %x) {
      %y = call double @mine(double %x)
      ret double %y
    })");
  EXPECT_EQ(result.calls_in("caller"), 1U);
}

} // namespace
} // namespace assay::test
