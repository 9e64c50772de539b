// What a debugger is told of derivatives. A wrong location would be invalid IR, or steps through lines of another
// function.

#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace assay::test {
namespace {

/// f calls g, which calls itself and so stays a call: lines 1 to 3 are g's, 5 to 7 are f's.
constexpr const char *program = R"(
define double @g(double %x, i32 %n) !dbg !5 {
  %last = icmp eq i32 %n, 0, !dbg !10
  br i1 %last, label %stop, label %go, !dbg !10
go:
  %square = fmul double %x, %x, !dbg !11
  %less = sub i32 %n, 1, !dbg !11
  %deeper = call double @g(double %square, i32 %less), !dbg !11
  ret double %deeper, !dbg !12
stop:
  ret double %x, !dbg !12
}
define double @f(double %x) !dbg !6 {
  %y = fmul double %x, 3.0, !dbg !13
  %z = call double @g(double %y, i32 2), !dbg !14
  ret double %z, !dbg !15
}
define void @main(ptr %out) !dbg !7 {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double 1.5), !dbg !16
  store double %d, ptr %out, !dbg !16
  %t = call double (...) @__enzyme_fwddiff(ptr @f, double 1.5, double 1.0), !dbg !16
  store double %t, ptr %out, !dbg !16
  ret void, !dbg !16
}
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "p.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "member", linkageName: "_ZN1C6memberEv", scope: !9, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition, declaration: !8)
!6 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 8, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DISubprogram(name: "member", linkageName: "_ZN1C6memberEv", scope: !9, file: !1, line: 1, type: !3, spFlags: 0)
!9 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "C", file: !1, line: 1, identifier: "C")
!10 = !DILocation(line: 1, scope: !5)
!11 = !DILocation(line: 2, scope: !5)
!12 = !DILocation(line: 3, scope: !5)
!13 = !DILocation(line: 5, scope: !6)
!14 = !DILocation(line: 6, scope: !6)
!15 = !DILocation(line: 7, scope: !6)
!16 = !DILocation(line: 8, scope: !7)
)";

std::string differentiated() {
  const ProcessResult result = run_opt(program, "assay");
  return result.exit_code == 0 ? result.out : result.err;
}

TEST(DebugInfo, derivatives_have_their_own_readable_names) {
  const std::string ir = differentiated();
  EXPECT_THAT(ir, HasSubstr("!DISubprogram(name: \"diffe.f\", scope"));
  EXPECT_THAT(ir, HasSubstr("!DISubprogram(name: \"fwddiffe.f\", scope"));
}

TEST(DebugInfo, both_halves_of_a_split_derivative_have_names_and_belong_to_no_class) {
  const std::string ir = differentiated();
  EXPECT_THAT(ir, ContainsRegex("!DISubprogram\\(name: \"augmented.member\", scope: ![0-9]+, file"));
  EXPECT_THAT(ir, ContainsRegex("!DISubprogram\\(name: \"splitdiffe.member\", scope: ![0-9]+, file"));
  EXPECT_THAT(ir, Not(ContainsRegex("name: \"[a-z]+\\.member\"[^\n]*declaration:")));
}

TEST(DebugInfo, the_reverse_half_stands_at_the_lines_of_the_primal) {
  const std::string ir = differentiated();
  const std::size_t start = ir.find("define internal", ir.find("splitdiffe.g(") - 60);
  const std::string body = ir.substr(start, ir.find("\n}", start) - start);
  EXPECT_THAT(body, ContainsRegex("fmul [^\n]*!dbg"));
}

} // namespace
} // namespace assay::test
