// Which stores the reverse sweep can undo, and how their memory gets in the end what the program left in it.
#include "core/engine/plan/undoable_stores.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/IR/Dominators.h"

namespace assay::engine {
namespace {

/// Of each store, a letter: - it cannot be undone, n nothing is done again, l from a log, r from registers, o only
/// where memory overlaps.
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
    text += !undoable.contains(instruction)             ? '-'
            : undoable.is_only_for_overlap(instruction) ? 'o'
            : redo == Redo::none                        ? 'n'
            : redo == Redo::log                         ? 'l'
                                                        : 'r';
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
  EXPECT_EQ(stores("  store double %x, ptr %p\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  ret void",
                   device),
            "-");
}

// In loops they are kept where buffers overlap, which is rare; not where other threads could see it.
TEST(UndoableStores, AreUndoneInLoopsOfADeviceWhereMemoryOverlaps) {
  const std::string loop = "  br label %LOOP\nLOOP:\n  store double %x, ptr %p\n  br i1 %again, label %LOOP, label "
                           "%END\nEND:\n";
  const auto loop_named = [&](const std::string &name) {
    std::string text = loop;
    for (const std::string &word : {std::string("LOOP"), std::string("END")})
      for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
        text.replace(at, word.size(), name + (word == "LOOP" ? ".loop" : ".end"));
    return text;
  };
  const std::string once = "  store double %x, ptr %p\n", end = "  ret void";
  EXPECT_EQ(stores(loop_named("a") + end, device), "o");
  EXPECT_EQ(stores(once + loop_named("a") + end, device), "ro");
  EXPECT_EQ(stores(loop_named("a") + once + end, device), "or");
  EXPECT_EQ(stores(loop_named("a") + once + loop_named("b") + end, device), "o-o"); // between what is in the log
  EXPECT_EQ(stores(loop_named("a") + "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n" + end, device),
            "-");
}

} // namespace
} // namespace assay::engine
