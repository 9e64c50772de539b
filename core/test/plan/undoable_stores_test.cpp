// Which stores the reverse sweep can undo, and how their memory gets in the end what the program left in it.
#include "core/engine/plan/undoable_stores.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/IR/Dominators.h"

namespace assay::engine {
namespace {

/// Of each store of `%value...`, a letter: - it cannot be undone, n nothing is done again, l from a log, r from
/// registers.
std::string stores(const std::string &body, const std::string &triple = "x86_64-pc-linux-gnu", bool split = false) {
  test::ParsedModule f("target triple = \"" + triple + R"("
  @tile = internal addrspace(3) global [64 x double] undef
  declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
  define void @f(ptr %p, double %x, float %y, i1 %again) {
  )" + body + "\n}\n");
  llvm::DominatorTree dominators(f.function());
  const llvm::LoopInfo loops(dominators);
  const auto copy = [](const llvm::Instruction &instruction) { return &instruction; };
  const auto has_adjoint = [](const llvm::Instruction &instruction) { return llvm::isa<llvm::StoreInst>(instruction); };
  const UndoableStores undoable({f.function(), loops, split, copy, has_adjoint, {}});
  std::string text;
  for (llvm::Instruction &instruction : llvm::instructions(f.function())) {
    if (!llvm::isa<llvm::StoreInst>(instruction))
      continue;
    RestoredStore restored{&instruction};
    const Redo redo = undoable.redo(restored);
    text += !undoable.contains(instruction) ? '-' : redo == Redo::none ? 'n' : redo == Redo::log ? 'l' : 'r';
  }
  return text;
}

constexpr const char *device = "nvptx64-nvidia-cuda";

TEST(UndoableStores, AreDoneAgainWhereTheCallerSeesTheMemory) {
  EXPECT_EQ(stores("  store double %x, ptr %p\n  ret void"), "l");
  EXPECT_EQ(stores("  %m = alloca double\n  store double %x, ptr %m\n  ret void"), "n");
}

// Between two functions, the caller may write to the memory as well.
TEST(UndoableStores, AreNoneWhereTheSweepsAreApart) {
  EXPECT_EQ(stores("  store double %x, ptr %p\n  ret void", "x86_64-pc-linux-gnu", true), "-");
}

// A log has one type of values: the one of most stores.
TEST(UndoableStores, HaveOneTypeWhereALogIsKept) {
  EXPECT_EQ(stores("  store float %y, ptr %p\n  store double %x, ptr %p\n  store double %x, ptr %p\n  ret void"),
            "-ll");
}

// Nobody has reserved memory for a log there.
TEST(UndoableStores, AreDoneAgainFromRegistersOnADevice) {
  EXPECT_EQ(stores("  store double %x, ptr %p\n  ret void", device), "r");
  EXPECT_EQ(stores("  store double %x, ptr addrspace(3) @tile\n  ret void", device), "n");
  EXPECT_EQ(stores("  br label %loop\nloop:\n  store double %x, ptr %p\n  br i1 %again, label %loop, label %end\nend:\n"
                   "  ret void",
                   device),
            "-");
  EXPECT_EQ(stores("  store double %x, ptr %p\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  ret void",
                   device),
            "-");
}

} // namespace
} // namespace assay::engine
