// Which adjoints of a kernel's loads are added together, decided before anything is written.
#include "core/engine/plan/sum_groups.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/Passes/PassBuilder.h"

namespace assay::engine {
namespace {

/// The groups of `body`, in a kernel whose loads all have adjoints, and of those in `summed_over` over that loop.
std::string sum_groups(const std::string &body,
                       const std::string &header = "ptx_kernel void @f(ptr %p, ptr %q, i64 %n)",
                       const std::string &summed_over = "", const std::string &triple = "nvptx64-nvidia-cuda") {
  test::Typed f("target triple = \"" + triple + R"("
  @tile = internal addrspace(3) global [64 x float] undef
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
  define )" + header +
                " {\n" + body + "\n}\n");
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(f.function());
  const AdjointAdds adds =
      plan_adjoint_adds({f.function(), evolution, f.types, [](const llvm::LoadInst &) { return true; }});
  const auto has_adjoint = [](const llvm::Instruction &instruction) {
    return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::CallBase>(instruction);
  };
  const auto loop_of = [&](const llvm::LoadInst &) -> const llvm::BasicBlock * {
    for (const llvm::BasicBlock &block : f.function())
      if (!summed_over.empty() && block.getName() == summed_over)
        return &block;
    return nullptr;
  };
  std::string text;
  llvm::raw_string_ostream out(text);
  plan_sum_groups({f.function(), adds, f.types, functions.getResult<llvm::AAManager>(f.function()), evolution,
                   has_adjoint, loop_of})
      .print(out);
  return text;
}

constexpr const char *row = R"(
  %second = getelementptr float, ptr %p, i64 1
  %fourth = getelementptr float, ptr %p, i64 3
  %a = load float, ptr %second
  %b = load float, ptr %fourth
  %c = load float, ptr %p
  ret void)";

TEST(SumGroups, AreOfLoadsAtConstantDistancesThatLanesMayMeanTogether) {
  EXPECT_EQ(sum_groups(row), "grouped sum of a warp: %c at 0, %a at 4, %b at 12\n");
  EXPECT_EQ(sum_groups(row, "ptx_kernel void @f(ptr %p)", "", "x86_64-pc-linux-gnu"), "");
}

// A function of the device does not know whose memory its pointers lead to.
TEST(SumGroups, HoldWhereTheMemoryIsNotTheThreadsOwn) {
  EXPECT_EQ(sum_groups(row, "void @f(ptr %p)"), "grouped sum of a warp unless local: %c at 0, %a at 4, %b at 12\n");
}

TEST(SumGroups, EndWhereOtherThreadsMayRead) {
  EXPECT_EQ(sum_groups(R"(
  %second = getelementptr float, ptr %p, i64 1
  %a = load float, ptr %second
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = load float, ptr %p
  ret void)"),
            "");
}

// What a store did to the memory is undone between the two sums.
TEST(SumGroups, EndWhereAStoreMayMeanThePlace) {
  const std::string body = R"(
  %second = getelementptr float, ptr %p, i64 1
  %a = load float, ptr %second
  store float 1.0, ptr %q
  %b = load float, ptr %p
  ret void)";
  EXPECT_EQ(sum_groups(body), "");
  EXPECT_EQ(sum_groups(body, "ptx_kernel void @f(ptr noalias %p, ptr noalias %q)"),
            "grouped sum of a warp: %b at 0, %a at 4\n");
}

TEST(SumGroups, AreOfThePartsOfAVector) {
  EXPECT_EQ(sum_groups("  %v = load <2 x float>, ptr %p\n  ret void"),
            "grouped sum of a warp: %v part 0 at 0, %v part 1 at 4\n");
}

// Eight numbers at most, so the ninth is added by itself.
TEST(SumGroups, HaveNoMoreNumbersThanAreMovedAtOnce) {
  EXPECT_EQ(sum_groups("  %v = load <9 x float>, ptr %p\n  ret void"),
            "grouped sum of a warp: %v part 0 at 0, %v part 1 at 4, %v part 2 at 8, %v part 3 at 12, %v part 4 at 16, "
            "%v part 5 at 20, %v part 6 at 24, %v part 7 at 28\n");
}

std::string stencil(const std::string &index) {
  return R"(
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %number = )" +
         index + R"(
  %index = zext nneg i32 %number to i64
  %here = getelementptr double, ptr %p, i64 %index
  %left = getelementptr double, ptr %here, i64 -1
  %right = getelementptr double, ptr %here, i64 1
  %a = load double, ptr %left
  %b = load double, ptr %here
  %c = load double, ptr %right
  ret void)";
}

TEST(SumGroups, AreShiftedWhereLanesLieOneNumberBehindEachOther) {
  EXPECT_EQ(sum_groups(stencil("add nuw nsw i32 %thread, 1")), "shifted sum of a warp: %a at 0, %b at 8, %c at 16\n");
  EXPECT_EQ(sum_groups(stencil("mul nuw nsw i32 %thread, 3")), "");
}

// Their sums in registers go to memory side by side, where the loop is left.
TEST(SumGroups, AreOfLoadsThatAreSummedUpOverOneLoop) {
  EXPECT_EQ(sum_groups(R"(
  entry:
    %second = getelementptr float, ptr %p, i64 1
    br label %loop
  loop:
    %i = phi i64 [ 0, %entry ], [ %next, %loop ]
    %a = load float, ptr %p
    store float 1.0, ptr %q
    %b = load float, ptr %second
    %next = add nuw nsw i64 %i, 1
    %more = icmp ult i64 %next, %n
    br i1 %more, label %loop, label %exit
  exit:
    ret void)",
                       "ptx_kernel void @f(ptr %p, ptr %q, i64 %n)", "loop"),
            "grouped sum of a warp behind %loop: %a at 0, %b at 4\n");
}

} // namespace
} // namespace assay::engine
