// Loops over a few bytes are unrolled; loops in whose course a byte is moved too are left as they are.
#include "core/engine/prepare/byte_loops.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::test {
namespace {

/// How often `@f` moves a byte after the rewriting, if it moves one in each of `count` iterations, backwards and beside
/// `steps` operations on a number.
unsigned moves_of_bytes(unsigned count, unsigned steps) {
  std::string work = "  %y0 = load double, ptr %number\n";
  for (unsigned step = 0; step < steps; ++step)
    work += "  %y" + std::to_string(step + 1) + " = fmul double %y" + std::to_string(step) + ", 1.5\n";
  work += "  store double %y" + std::to_string(steps) + ", ptr %number\n";
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parsed(R"(
define void @f(ptr %to, ptr %from, ptr %number) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
)" + work + "  %back = sub nuw nsw i64 " + std::to_string(count - 1) +
                                                          R"(, %i
  %source = getelementptr inbounds i8, ptr %from, i64 %back
  %byte = load i8, ptr %source
  %target = getelementptr inbounds i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %done = icmp eq i64 %next, )" + std::to_string(count) +
                                                          R"(
  br i1 %done, label %exit, label %loop
exit:
  ret void
})",
                                                      context);
  llvm::Function &function = *module->getFunction("f");
  Analyses analyses;
  engine::rewrite_byte_loops(function, analyses.functions);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  unsigned moves = 0;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      moves += llvm::isa<llvm::StoreInst>(instruction) && instruction.getOperand(0)->getType()->isIntegerTy(8) ? 1 : 0;
  return moves;
}

TEST(ByteLoops, those_over_the_bytes_of_a_few_numbers_are_unrolled) {
  EXPECT_EQ(moves_of_bytes(8, 0), 8);
  EXPECT_EQ(moves_of_bytes(256, 0), 256);
}

TEST(ByteLoops, those_that_do_more_are_not) {
  EXPECT_EQ(moves_of_bytes(50, 400), 1);
}

TEST(ByteLoops, those_over_much_memory_are_not) {
  EXPECT_EQ(moves_of_bytes(100000, 0), 1);
}

} // namespace
} // namespace assay::test
