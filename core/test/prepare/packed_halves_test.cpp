// Numbers of 16 bits that are moved, or rounded, as integers are numbers afterwards.
#include "core/engine/prepare/half_memory.hpp"
#include "core/engine/prepare/packed_halves.hpp"
#include "core/engine/prepare/rounded_bfloats.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Local.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::test {
namespace {

/// Of the function `f` of device code after the steps: whether integers are used as numbers, or stored, anywhere.
struct Left {
  int casts_of_integers = 0;
  int stored_integers = 0;
  friend bool operator==(const Left &, const Left &) = default;
};

Left after(const std::string &body) {
  llvm::LLVMContext context;
  const auto module = parsed("target triple = \"nvptx64-nvidia-cuda\"\n" + body, context);
  llvm::Function &function = *module->getFunction("f");
  engine::type_half_memory(function);
  engine::rewrite_rounded_bfloats(function);
  engine::rewrite_packed_halves(function);
  llvm::SmallVector<llvm::WeakTrackingVH, 32> unused;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    unused.emplace_back(&instruction);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  Left left;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    left.casts_of_integers += cast && cast->getSrcTy()->isIntOrIntVectorTy() && cast->getType()->isFPOrFPVectorTy() &&
                              !llvm::isa<llvm::Argument>(cast->getOperand(0));
    left.stored_integers += store && store->getValueOperand()->getType()->isIntOrIntVectorTy();
  }
  return left;
}

TEST(PackedHalves, parts_of_words_are_taken_as_numbers) {
  EXPECT_EQ(after(R"(
define half @f(<2 x half> %pair) {
  %word = bitcast <2 x half> %pair to i32
  %high = lshr i32 %word, 16
  %part = trunc i32 %high to i16
  %number = bitcast i16 %part to half
  ret half %number
})"),
            Left{});
}

TEST(PackedHalves, words_that_are_put_together_are_stored_as_numbers) {
  EXPECT_EQ(after(R"(
define void @f(half %low, half %high, i1 %choice, ptr %to) {
entry:
  %a = bitcast half %low to i16
  %b = bitcast half %high to i16
  br i1 %choice, label %then, label %end
then:
  %wide = zext i16 %b to i32
  %up = shl i32 %wide, 16
  br label %end
end:
  %upper = phi i32 [ %up, %then ], [ 1006632960, %entry ]
  %lower = zext i16 %a to i32
  %word = or i32 %upper, %lower
  store i32 %word, ptr %to
  ret void
})"),
            Left{});
}

TEST(PackedHalves, an_index_beside_a_half_stays_an_integer) {
  EXPECT_EQ(after(R"(
define void @f(half %value, i16 %index, ptr %to) {
  %a = bitcast half %value to i16
  %low = zext i16 %a to i32
  %wide = zext i16 %index to i32
  %high = shl i32 %wide, 16
  %word = or i32 %high, %low
  store i32 %word, ptr %to
  ret void
})"),
            (Left{0, 1}));
}

TEST(HalfMemory, the_name_of_a_class_tells_what_memory_holds) {
  const auto stored = [](const char *name) {
    return after("%" + std::string(name) +
                 " = type { i16 }\ndefine void @f(ptr %x, i64 %i) {\n  %at = getelementptr %" + name +
                 ", ptr %x, i64 %i\n  %number = load i16, ptr %at\n  store i16 %number, ptr %x\n  ret void\n}")
        .stored_integers;
  };
  EXPECT_EQ(stored("struct.__half"), 0);
  EXPECT_EQ(stored("struct.__nv_bfloat16"), 0);
  EXPECT_EQ(stored("struct.Pixel"), 1);
}

TEST(HalfMemory, what_is_beside_a_number_is_none) {
  EXPECT_EQ(after(R"(
%struct.__half = type { i16 }
%struct.Pair = type { %struct.__half, i16 }
define void @f(ptr %x, i64 %i, i16 %n) {
  %number = getelementptr %struct.Pair, ptr %x, i64 %i, i32 0
  %count = getelementptr i8, ptr %number, i64 2
  store i16 %n, ptr %count
  ret void
})"),
            (Left{0, 1}));
}

TEST(RoundedBfloats, a_float_that_is_cut_and_counted_up_is_a_number) {
  // The gradient of this was zero.
  EXPECT_EQ(after(R"(
%struct.__nv_bfloat16 = type { i16 }
define void @f(float %x, i1 %up, ptr %to, i64 %i) {
entry:
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %cut = trunc i32 %high to i16
  br i1 %up, label %then, label %end
then:
  %next = add i16 %cut, 1
  br label %end
end:
  %rounded = phi i16 [ %next, %then ], [ %cut, %entry ]
  %at = getelementptr %struct.__nv_bfloat16, ptr %to, i64 %i
  store i16 %rounded, ptr %at
  ret void
})"),
            Left{});
}

} // namespace
} // namespace assay::test
