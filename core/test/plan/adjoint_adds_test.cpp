// How the adjoints of a kernel's loads are added to shadow memory, decided before anything is written.
#include "core/engine/plan/adjoint_adds.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "llvm/Passes/PassBuilder.h"

namespace assay::engine {
namespace {

std::string adds_of(const std::string &module, bool runtime_activity = false) {
  test::Typed f(module);
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager functions;
  builder.registerFunctionAnalyses(functions);
  std::string text;
  llvm::raw_string_ostream out(text);
  plan_adjoint_adds({f.function(), functions.getResult<llvm::ScalarEvolutionAnalysis>(f.function()), f.types,
                     [](const llvm::LoadInst &load) { return !load.getName().starts_with("inactive"); },
                     runtime_activity})
      .print(out);
  return text;
}

/// Of `body` with the parameters ptr %p and i32 %i.
std::string adjoint_adds(const std::string &body, const std::string &kind = "ptx_kernel ",
                         bool runtime_activity = false) {
  return adds_of("target triple = \"nvptx64-nvidia-cuda\"\n"
                 "@tile = internal addrspace(3) global [64 x float] undef\n"
                 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "define " +
                     kind + "void @f(ptr %p, i32 %i) {\n" + body + "\n  ret void\n}\n",
                 runtime_activity);
}

TEST(AdjointAdds, AreAtomicBehindArgumentsOfKernelsAndOneForLanesAtOnePlace) {
  EXPECT_EQ(adjoint_adds("  %x = load float, ptr %p"),
            "adjoint added, atomic, once for lanes at one place: %x = load float, ptr %p, align 4\n");
}

TEST(AdjointAdds, AreMadeByEachLaneWhereTheThreadsNumberTellsThePlacesApart) {
  EXPECT_EQ(adjoint_adds("  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                         "  %a = getelementptr float, ptr %p, i32 %t\n  %x = load float, ptr %a"),
            "adjoint added, atomic: %x = load float, ptr %a, align 4\n");
}

TEST(AdjointAdds, AreToldApartWhereTheMemoryMayBeTheThreadsOwn) {
  EXPECT_EQ(adjoint_adds("  %x = load float, ptr %p", ""),
            "adjoint added, atomic unless local, once for lanes at one place: %x = load float, ptr %p, align 4\n");
  EXPECT_EQ(adjoint_adds("  %m = alloca float\n  %x = load float, ptr %m"), "");
}

// Would catch: a function that asks a pointer of known kind where it leads.
TEST(AdjointAdds, AreAtomicBehindPointersOfKnownKind) {
  EXPECT_EQ(
      adjoint_adds("  %inactive = load ptr addrspace(3), ptr %p\n  %x = load float, ptr addrspace(3) %inactive", ""),
      "adjoint added, atomic, once for lanes at one place: %x = load float, ptr addrspace(3) %inactive, "
      "align 4\n");
}

// A device refuses atomic sums in a thread's own memory, where adjoints of memory that is its own shadow go.
TEST(AdjointAdds, AreToldApartUnderRuntimeActivity) {
  EXPECT_EQ(adjoint_adds("  %x = load float, ptr %p", "ptx_kernel ", true),
            "adjoint added, atomic unless local, once for lanes at one place: %x = load float, ptr %p, align 4\n");
  EXPECT_EQ(adjoint_adds("  %inactive = load ptr addrspace(1), ptr %p\n  %x = load float, ptr addrspace(1) %inactive",
                         "ptx_kernel ", true),
            "adjoint added, atomic unless local, once for lanes at one place: %x = load float, ptr addrspace(1) "
            "%inactive, align 4\n");
}

// No shuffle of halves: each lane adds by itself.
TEST(AdjointAdds, AreMadeByEachLaneForHalves) {
  EXPECT_EQ(adjoint_adds("  %x = load half, ptr %p"), "adjoint added, atomic: %x = load half, ptr %p, align 2\n");
}

TEST(AdjointAdds, AreNoneOfLoadsWithoutADerivative) {
  EXPECT_EQ(adjoint_adds("  %inactive = load float, ptr %p"), "");
}

TEST(AdjointAdds, AreUndividedWhereFunctionsMayStandForTheMemory) {
  const std::string body = "{\n  %m = alloca double\n  %own = load double, ptr %m\n  %x = load double, ptr %p\n"
                           "  %inactive = load double, ptr %p\n  ret void\n}\n";
  EXPECT_EQ(adds_of("define void @f(ptr %p) " + body), "");
  EXPECT_EQ(adds_of("define void @f(ptr %p) \"assay-undivided-sums\" " + body),
            "adjoint added, undivided: %x = load double, ptr %p, align 8\n");
}

} // namespace
} // namespace assay::engine
