// Values of long blocks stay in memory between uses that are far apart.
#include "core/engine/tidy/long_values.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace assay::test {
namespace {

/// A function of one block: %early, `between` operations on another value, and a sum of both.
class Shortened {
public:
  Shortened(int between, const std::string &attributes) {
    std::string text =
        "define double @f(double %x, double %y) " + attributes +
        " {\n%early = fadd double %x, 1.0\n%near = fmul double %early, %x\n%v0 = fmul double %near, %y\n";
    for (int i = 1; i <= between; ++i)
      text += "%v" + std::to_string(i) + " = fmul reassoc double %v" + std::to_string(i - 1) + ", %y\n";
    text += "%sum = fadd double %early, %v" + std::to_string(between) + "\nret double %sum\n}";
    module = parsed(text, context);
    Analyses analyses;
    engine::LongValuesPass().run(*module->getFunction("f"), analyses.functions);
    if (llvm::verifyModule(*module, &llvm::errs()))
      throw std::runtime_error("the module is broken");
  }

  const llvm::User &named(llvm::StringRef name) const {
    return *llvm::cast<llvm::User>(module->getFunction("f")->getValueSymbolTable()->lookup(name));
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

// Between its two uses the value took a register, or the register allocator's time.
TEST(LongValues, a_value_that_is_used_far_away_is_loaded_there) {
  const Shortened result(3000, "\"assay-derivative\"");
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(result.named("sum").getOperand(0));
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->getNextNode(), &result.named("sum"));
  EXPECT_EQ(result.named("near").getOperand(0), &result.named("early"));
  bool stored = false;
  for (const llvm::User *user : load->getPointerOperand()->users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      stored = store->getValueOperand() == &result.named("early");
  EXPECT_TRUE(stored);
}

// LLVM's machine combiner took a quarter of the whole compile time.
TEST(LongValues, no_other_order_of_operations_is_looked_for) {
  EXPECT_FALSE(llvm::cast<llvm::Instruction>(Shortened(3000, "\"assay-derivative\"").named("v7")).hasAllowReassoc());
  EXPECT_TRUE(llvm::cast<llvm::Instruction>(Shortened(300, "\"assay-derivative\"").named("v7")).hasAllowReassoc());
}

TEST(LongValues, short_blocks_are_left_alone) {
  const Shortened result(300, "\"assay-derivative\"");
  EXPECT_EQ(result.named("sum").getOperand(0), &result.named("early"));
}

TEST(LongValues, functions_of_the_user_are_left_alone) {
  const Shortened result(3000, "");
  EXPECT_EQ(result.named("sum").getOperand(0), &result.named("early"));
}

} // namespace
} // namespace assay::test
