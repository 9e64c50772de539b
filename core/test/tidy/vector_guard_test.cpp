// What LLVM's vectoriser of straight-line code breaks is as it was before.
#include "core/engine/tidy/vector_guard.hpp"
#include "core/test/support/ir.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::test {
namespace {

/// In the vectoriser's place: moves the multiplications to the end of the first block, behind their uses, or takes
/// one away where nothing uses it.
struct Vectoriser : llvm::PassInfoMixin<Vectoriser> {
  static llvm::StringRef name() { return "SLPVectorizerPass"; }

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(function.getEntryBlock()))
      if (instruction.getOpcode() == llvm::Instruction::FMul) {
        if (instruction.use_empty())
          instruction.eraseFromParent();
        else
          instruction.moveBefore(function.getEntryBlock().getTerminator()->getIterator());
      }
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }
};

constexpr const char *loop = R"(
define double @f(double %x, i64 %n) #0 !dbg !3 {
entry:
  %square = fmul double %x, %x, !dbg !5
  %start = fadd double %square, %x, !dbg !5
  br label %loop, !dbg !5
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ %start, %entry ], [ %more, %loop ]
  %more = fadd double %sum, %square, !dbg !5
  %next = add i64 %i, 1, !dbg !5
  %again = icmp ult i64 %next, %n, !dbg !5
  br i1 %again, label %loop, label %end, !dbg !5
end:
  ret double %more, !dbg !5
}
attributes #0 = { ATTRIBUTE }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 7, scope: !3)
)";

/// The function after the pass.
struct Vectorised {
  Vectorised(std::string text, const std::string &attribute) {
    constexpr llvm::StringLiteral place = "ATTRIBUTE";
    text.replace(text.find(place), place.size(), attribute);
    module = parsed(text, context);
    before = printed();
    llvm::PassInstrumentationCallbacks callbacks;
    engine::guard_vectors_of_straight_code(callbacks);
    llvm::PassBuilder builder(nullptr, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
    ModuleAnalyses analyses(builder);
    llvm::Function &function = *module->getFunction("f");
    analyses.functions.getResult<llvm::DominatorTreeAnalysis>(function);
    llvm::FunctionPassManager passes;
    passes.addPass(Vectoriser());
    passes.run(function, analyses.functions);
    tree_is_right = analyses.functions.getResult<llvm::DominatorTreeAnalysis>(function).verify();
  }

  std::string printed() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const llvm::Instruction &instruction : llvm::instructions(*module->getFunction("f")))
      stream << instruction << '\n';
    return text;
  }
  bool is_broken() const { return llvm::verifyModule(*module); }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::string before;
  bool tree_is_right = false;
};

// The register allocator of LLVM 22 crashed on such code.
TEST(VectorGuard, a_derivative_that_was_broken_is_as_before) {
  const Vectorised result(loop, "\"assay-derivative\"");
  EXPECT_FALSE(result.is_broken());
  EXPECT_EQ(result.printed(), result.before);
  EXPECT_TRUE(result.tree_is_right);
}

TEST(VectorGuard, other_functions_are_left_alone) {
  EXPECT_TRUE(Vectorised(loop, "nounwind").is_broken());
}

TEST(VectorGuard, what_is_right_afterwards_stays) {
  const Vectorised result("define void @f(double %x) #0 {\n%y = fmul double %x, %x\nret void\n}\n"
                          "attributes #0 = { ATTRIBUTE }",
                          "\"assay-derivative\"");
  EXPECT_EQ(result.printed(), "  ret void\n");
}

} // namespace
} // namespace assay::test
